// Unpacks and runs the page's script, which the page holds gzipped, at a third of its size. A browser that
// cannot unpack it (from before 2023) shows the page without a script, which is complete. The page's
// Content-Security-Policy has the hashes of both scripts, so nothing else can run this way.
(async () => {
const packed = document.getElementById('app').textContent;
if (!window.DecompressionStream)
	return;
const bytes = Uint8Array.fromBase64?.(packed) ?? Uint8Array.from(atob(packed), letter => letter.charCodeAt(0));
const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
const script = document.createElement('script');
script.textContent = await new Response(plain).text();
document.body.append(script);
})();
