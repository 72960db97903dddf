// Patterns of URIs as people write them, in the spelling of the URIs that they are held against: what is not a sign of
// a pattern is percent-encoded as it is there. It never widens what a pattern matches.

const OURS = /^(context|guide|file)$/i;

/** As canonical URIs are spelt: whoever writes `größe & co` means what stands there as `gr%C3%B6%C3%9Fe%20%26%20co`. */
export function canonicalPattern(pattern: string): string {
  const [head = '', scheme = ''] = /^([^/]*):\/\//.exec(pattern) ?? [];
  if (/^[a-z][a-z0-9+.-]*$/i.test(scheme) && !OURS.test(scheme)) return pattern;
  const rest = pattern.slice(head.length);
  let depth = 0;
  const encoded = rest.toWellFormed().replace(/\[[^\]]*\]|\\.|%[0-9a-f]{2}|./gisu, (piece) => {
    if (piece === '{') depth++;
    if (piece === '}') depth--;
    if (/^%[0-9a-f]{2}$/i.test(piece)) return canonicalEscape(piece);
    const isSpecial = piece.length > 2 || piece.startsWith('\\') || /^[*?{}/[\]]$/.test(piece);
    return isSpecial || (piece === ',' && depth > 0) ? piece : encodeURIComponent(piece);
  });
  return head.toLowerCase() + encoded;
}

/** An escape that URIs have no need of is the character itself. */
function canonicalEscape(written: string): string {
  const code = Number.parseInt(written.slice(1), 16);
  if (code > 0x7f) return written.toUpperCase();
  const spelt = encodeURIComponent(String.fromCharCode(code));
  return spelt === '*' ? '\\*' : spelt;
}
