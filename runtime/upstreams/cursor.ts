// What a cursor into the lists of other servers begins with: "upstream ", in the alphabet of cursors. Known in the start
// file, which sends such a cursor on.

export const UPSTREAM_CURSOR = 'dXBzdHJlYW0g';
