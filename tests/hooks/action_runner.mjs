// What GitHub's runner does with a composite action, as far as tests need it.
//   node action_runner.mjs check ACTION           exits with 1 unless action.yml fits action_schema.json
//   node action_runner.mjs run ACTION WORK JSON…  runs the steps in WORK with these inputs, each of which is an object;
//                                                 steps of other actions are only told on standard output, and so are
//                                                 the outputs; exits as the first step that failed. A job of a matrix
//                                                 is STRATEGY='{"job-index": 1, "job-total": 2}' MATRIX='{"os": "a"}'
import { spawnSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import YAML from 'yaml'

const [mode, file, work, ...given] = process.argv.slice(2)
const action = YAML.parse(readFileSync(file, 'utf8'))

if (mode === 'check') {
	const Ajv = createRequire(new URL('gitlab/package.json', import.meta.url))('ajv')
	const fits = new Ajv({ allErrors: true, strictTypes: false })
		.compile(JSON.parse(readFileSync(new URL('action_schema.json', import.meta.url), 'utf8')))
	if (!fits(action)) {
		console.log(JSON.stringify(fits.errors, null, 1))
		process.exit(1)
	}
	process.exit(0)
}

const temp = resolve(work, 'temp')
mkdirSync(temp, { recursive: true })
const env = { ...process.env, RUNNER_TEMP: temp, GITHUB_ACTION_PATH: resolve(file, '..'), GITHUB_RUN_ID: '77', GITHUB_WORKSPACE: work }
const context = { github: { job: 'tests', run_id: '77', run_attempt: '1' }, runner: { temp }, steps: {}, inputs: {},
	strategy: JSON.parse(process.env.STRATEGY ?? '{"job-index": 0, "job-total": 1}'), matrix: JSON.parse(process.env.MATRIX ?? 'null') }
delete env.STRATEGY
delete env.MATRIX
let failed = null

// Lookups, always(), success(), format(), toJSON(), comparisons, && and ||: a property that is not there is ''.
function evaluate(text) {
	const code = text.replace(/'[^']*'|[a-z_]+(\.[a-z0-9_-]+)+/g, (word) =>
		word[0] === "'" ? word : `(get(${JSON.stringify(word.split('.'))}))`)
	const get = (path) => path.reduce((at, key) => at?.[key], context) ?? ''
	const format = (shape, ...values) => shape.replace(/\{(\d)\}/g, (_, n) => values[n])
	return new Function('get', 'always', 'success', 'format', 'toJSON', 'matrix', `return (${code})`)(
		get, () => true, () => failed === null, format, (value) => JSON.stringify(value, null, 2), context.matrix)
}
const expand = (text) => String(text).replace(/\$\{\{(.*?)\}\}/g, (_, inner) => evaluate(inner))
const pairs = (object = {}) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, expand(value)]))
// A step without always() runs only if none before it failed.
const due = (step) => evaluate(/always\(\)|success\(\)/.test(step.if) ? step.if : `success() && (${step.if ?? 'true'})`)

for (const [key, input] of Object.entries(action.inputs)) {
	context.inputs[key] = expand(input.default ?? '')
}
Object.assign(context.inputs, ...given.map((text) => JSON.parse(text)))

function runScript(step, n) {
	const files = {}
	for (const name of ['OUTPUT', 'ENV', 'PATH', 'STEP_SUMMARY']) {
		files[`GITHUB_${name}`] = `${temp}/${n}-${name}`
		writeFileSync(files[`GITHUB_${name}`], '')
	}
	const script = `${temp}/${n}.sh`
	writeFileSync(script, step.run)
	const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
		cwd: resolve(work, expand(step['working-directory'] ?? '.')),
		env: { ...env, ...files, ...pairs(step.env) },
		stdio: ['ignore', 'inherit', 'inherit'],
	})
	const lines = (name) => readFileSync(files[name], 'utf8').split('\n').filter((line) => line)
	const outputs = Object.fromEntries(lines('GITHUB_OUTPUT').map((line) => [line.split('=')[0], line.slice(line.indexOf('=') + 1)]))
	if (step.id) {
		context.steps[step.id] = { outputs }
	}
	env.PATH = [...lines('GITHUB_PATH').reverse(), env.PATH].join(':')
	appendFileSync(`${work}/summary.md`, readFileSync(files.GITHUB_STEP_SUMMARY))
	return ended.status ?? 1
}

for (const [n, step] of action.runs.steps.entries()) {
	if (!due(step)) {
		console.log(`skipped ${step.id ?? step.uses}`)
	} else if (step.uses) {
		console.log(`uses ${step.uses.split('@')[0]} ${JSON.stringify(pairs(step.with))}`)
	} else {
		const status = runScript(step, n)
		console.log(`ran ${step.id} ${status}`)
		failed ??= status || null
	}
}
for (const [key, output] of Object.entries(action.outputs)) {
	const value = expand(output.value)
	console.log(`output ${key} ${value}${existsSync(value) ? ' exists' : ''}`)
}
process.exit(failed ?? 0)
