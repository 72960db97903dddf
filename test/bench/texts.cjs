// The two texts every server of the benchmark answers with: markdown of 3 KB and of 50 KB, with the
// quotes, line breaks and few non-ASCII characters that real documents have.
const paragraph =
  'The reader maps the bundle and looks an answer up; it never parses "markdown" — that is the compiler\'s work.\n\n- one rule\n- `another`\tone\n\n';

function ofBytes(bytes) {
  return paragraph.repeat(Math.ceil(bytes / Buffer.byteLength(paragraph)));
}

exports.texts = { small: ofBytes(3 * 1024), large: ofBytes(50 * 1024) };
