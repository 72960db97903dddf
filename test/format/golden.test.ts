// Files outlive their writer: the committed bundle of each format version stays readable.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { LOCAL_USER } from '../../runtime/access.ts';
import { encodeHeader, MAJOR, SECTION, unescapeText } from '../../runtime/format.ts';
import { search } from '../../runtime/search/search.ts';
import { overlayOf } from '../../runtime/sessions/overlay.ts';
import type { Discovery } from '../../runtime/sessions/store.ts';
import { readSettings, USUAL_SETTINGS } from '../../runtime/settings.ts';
import { decodeRecord } from '../../runtime/value.ts';
import { verifyBundle } from '../../runtime/verify.ts';
import { openBytes } from '../support/bytes.ts';
import { EVERYTHING } from '../support/searched.ts';
import { bundleBytes, SHOP_IN_PAGES } from '../support/shop.ts';

const GOLDEN = join(import.meta.dirname, '../fixtures/golden/1.4.fgb');
const WITHOUT_ITEMS = join(import.meta.dirname, '../fixtures/golden/1.3.fgb');
const WITHOUT_MARKS = join(import.meta.dirname, '../fixtures/golden/1.2.fgb');
const WITHOUT_SEARCH = join(import.meta.dirname, '../fixtures/golden/1.1.fgb');
const FIRST = join(import.meta.dirname, '../fixtures/golden/1.0.fgb');

test('today’s compiler writes the golden file byte for byte', () => {
  if (process.env.UPDATE === '1') writeFileSync(GOLDEN, bundleBytes(SHOP_IN_PAGES));
  assert.ok(readFileSync(GOLDEN).equals(bundleBytes(SHOP_IN_PAGES)));
});

test('today’s reader reads the golden file', () => {
  const bundle = openBytes(readFileSync(GOLDEN));
  assert.deepEqual(verifyBundle(bundle).damage, []);
  assert.equal(bundle.listLength, 7);
  const text = bundle.findText('context://module/users');
  assert.match(
    text === undefined ? '' : unescapeText(text.stored),
    /^# Module: users\n\nPeople and their teams — über alles\./,
  );
  assert.equal(bundle.pages('context://project/overview'), 4);
  const about = bundle.findValueRecord('about');
  assert.ok(about);
  assert.deepEqual(decodeRecord(about)[1], {
    name: 'My SaaS App',
    tool: '0.1.0',
    resources: 7,
    modules: 3,
    documents: 0,
    prompts: 2,
  });
});

test('today’s reader reads a bundle of format 1.0, which has no guide', () => {
  const bundle = openBytes(readFileSync(FIRST));
  assert.deepEqual(verifyBundle(bundle).damage, []);
  assert.ok(bundle.findText('context://module/auth'));
  assert.equal(bundle.findGroup('guide://category/docs'), undefined);
});

test('today’s reader reads a bundle of format 1.1, in which a search finds nothing', () => {
  const bundle = openBytes(readFileSync(WITHOUT_SEARCH));
  assert.deepEqual(verifyBundle(bundle).damage, []);
  assert.ok(bundle.findText('context://module/auth'));
  assert.deepEqual(search(bundle, 'auth', EVERYTHING), { hits: [], total: 0 });
});

test('today’s reader reads a bundle of format 1.2, over whose pages nothing is laid', () => {
  const bundle = openBytes(readFileSync(WITHOUT_MARKS));
  assert.deepEqual(verifyBundle(bundle).damage, []);
  assert.equal(search(bundle, 'mutex', EVERYTHING).hits[0]?.key, 'context://module/auth');
  const discovery: Discovery = { id: '1', sessionId: 's', at: 0, type: 'rule', content: 'A rule', module: 'auth' };
  const overlay = overlayOf(bundle, [discovery], LOCAL_USER);
  const page = 'context://module/auth';
  assert.deepEqual(overlay.findText(page), bundle.findText(page));
  assert.deepEqual(
    overlay.texts().map(({ uri }) => uri),
    ['context://discoveries'],
  );
  assert.deepEqual([bundle.listLength, readSettings(bundle)], [4, USUAL_SETTINGS]);
});

test('today’s reader reads a bundle of format 1.3, over whose pages discoveries are laid', () => {
  const bundle = openBytes(readFileSync(WITHOUT_ITEMS));
  assert.deepEqual(verifyBundle(bundle).damage, []);
  const discovery: Discovery = { id: '1', sessionId: 's', at: 0, type: 'rule', content: 'A rule', module: 'auth' };
  const page = overlayOf(bundle, [discovery], LOCAL_USER).findText('context://module/auth');
  assert.match(page === undefined ? '' : unescapeText(page.stored), /\n- A rule \(Session: s\)\n/);
});

test('a text record is [key, text, cuts] to any msgpack decoder', () => {
  const found = openBytes(readFileSync(GOLDEN)).find('context://module/auth');
  assert.ok(found);
  const [key, text, cuts] = decodeRecord(found.record);
  assert.equal(key, 'context://module/auth');
  assert.match(unescapeText(text as Buffer), /^# Module: auth\n/);
  assert.ok(Buffer.isBuffer(cuts));
});

test('another major version is refused by its number', () => {
  const golden = readFileSync(GOLDEN);
  const header = Buffer.from(golden.subarray(0, 4096));
  header.writeUInt16LE(MAJOR + 1, 8);
  resign(header).copy(golden);
  assert.throws(() => openBytes(golden), /format version 2; this program reads version 1/);
});

test('a section of an unknown kind is skipped', () => {
  const golden = readFileSync(GOLDEN);
  const header = Buffer.from(golden.subarray(0, 4096));
  const count = header.readUInt32LE(12);
  header.writeUInt32LE(count + 1, 12);
  header.write('zzzz', 64 + count * 32, 'latin1');
  header.writeUInt32LE(4096, 64 + count * 32 + 8);
  resign(header).copy(golden);
  assert.equal(openBytes(golden).listLength, 7);
});

test('a header with a section outside the file, or without a table, is refused', () => {
  const golden = readFileSync(GOLDEN);
  const recs = { rows: 0, offset: 4096, length: golden.length };
  const id = Buffer.alloc(8);
  const outside = encodeHeader({ id, length: golden.length, sections: new Map([[SECTION.recs, recs]]) });
  assert.throws(() => openBytes(Buffer.concat([outside, golden.subarray(4096)])), /outside the file/);
  const empty = encodeHeader({ id, length: golden.length, sections: new Map() });
  assert.throws(() => openBytes(Buffer.concat([empty, golden.subarray(4096)])), /no section look/);
});

/** Gives a changed header block the checksum that belongs to it. */
function resign(header: Buffer): Buffer {
  header.writeUInt32LE(crc32(header.subarray(0, 4092)), 4092);
  return header;
}
