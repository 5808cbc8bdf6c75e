# Follows a formula as Homebrew does, with this machine's compiler: homebrew.rb FORMULA PREFIX, in the sources.
# Prints the fields that tests/packages/recipes.sh compares, a line each: NAME VALUE. What a formula uses of Homebrew is here.
require "open3"
require "pathname"
require "tmpdir"

class Formula
  FIELDS = {} # rubocop:disable Style/MutableConstant
  NEEDS = [] # rubocop:disable Style/MutableConstant

  class << self
    %w[desc homepage url sha256 license].each { |field| define_method(field) { |value| FIELDS[field] = value } }
    attr_reader :tests

    def depends_on(what)
      what == :linux ? FIELDS["linux"] = "True" : NEEDS << what
    end

    def test(&block)
      @tests = block
    end
  end

  attr_reader :prefix, :testpath

  def initialize(prefix, testpath)
    @prefix = Pathname(prefix)
    @testpath = Pathname(testpath)
  end

  def bin = prefix/"bin"
  def version = FIELDS["url"][/-([0-9.]+)\.tar\.gz$/, 1]

  def system(*command)
    Kernel.system(*command.map(&:to_s), out: :err, exception: true)
  end

  def shell_output(command)
    output, status = Open3.capture2(command)
    raise command unless status.success?
    output
  end

  def assert_match(text, output)
    raise "#{text} is not in #{output}" unless output.include?(text)
  end

  def assert_path_exists(path)
    raise "#{path} is not there" unless path.exist?
  end
end

load ARGV[0]
Dir.mktmpdir do |where|
  rtrack = Rtrack.new(ARGV[1], where)
  rtrack.install
  Dir.chdir(where) { rtrack.instance_eval(&Rtrack.tests) }
  fields = Formula::FIELDS
  raise "desc is too long" if fields["desc"].length > 80
  puts "version #{rtrack.version}", "url #{fields["url"]}", "sha256 #{fields["sha256"]}", "homepage #{fields["homepage"]}"
  puts "licence #{fields["license"]}", "linux #{fields["linux"]}", "needs #{Formula::NEEDS.sort.join(" ")}"
  puts "tested #{(rtrack.testpath/"job.html").size.positive? ? "True" : "False"}"
end
