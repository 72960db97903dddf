// The way from a request to what was discovered live. It stands in the start file, so it only asks whether there
// is anything; what it is and how it is shown is loaded with the first request after. From then on an answer is
// made at once, so that many requests leave in one write.

import type { Bundle } from './bundle.ts';
import type { Context } from './context.ts';
import { BundleError } from './format.ts';
import type { Overlay } from './sessions/overlay.ts';
import type { Discovery, SessionStore } from './sessions/store.ts';
import { readSettings, type Settings, USUAL_SETTINGS } from './settings.ts';

/** The texts of a bundle with discoveries laid over them. */
export type Layer = (bundle: Bundle) => Overlay;

type Source = { store: SessionStore; overlayOf: typeof import('./sessions/overlay.ts').overlayOf };

/** By bundle: its settings say which store it is. */
const sources = new WeakMap<Bundle, Source>();
/** What a store failed with last, by the context it belongs to: a failure that lasts is logged once. */
const failing = new WeakMap<Context, string>();

/** Runs `step` with what was discovered, or, when the store fails, without: the bundle answers all the same. */
export function withDiscoveries<T>(context: Context, step: (layer: Layer | undefined) => T): T | Promise<T> {
  const bundle = context.bundle.find();
  const known = bundle === undefined ? undefined : sources.get(bundle);
  if (known !== undefined) return ask(context, known, step);
  if (bundle === undefined || !context.live.hasDiscoveries(settingsIn(bundle))) return step(undefined);
  return openSource(context, bundle).then(
    (source) => ask(context, source, step),
    (error) => {
      if (error instanceof BundleError) return step(() => thrown(error));
      throw error;
    },
  );
}

/** Of settings that are damaged it is said where they are needed; what else the bundle holds is served. */
function settingsIn(bundle: Bundle): Settings {
  try {
    return readSettings(bundle);
  } catch (error) {
    if (error instanceof BundleError) return USUAL_SETTINGS;
    throw error;
  }
}

/** Damage found before the step belongs to its answer. */
function thrown(error: BundleError): never {
  throw error;
}

async function openSource(context: Context, bundle: Bundle): Promise<Source | undefined> {
  try {
    const store = await context.live.store(readSettings(bundle));
    const { overlayOf } = await import('./sessions/overlay.ts');
    const source = { store, overlayOf };
    sources.set(bundle, source);
    return source;
  } catch (error) {
    return failed(context, error);
  }
}

function ask<T>(context: Context, source: Source | undefined, step: (layer: Layer | undefined) => T): T | Promise<T> {
  const layerOf = (all: readonly Discovery[]): Layer | undefined => {
    failing.delete(context);
    if (all.length === 0) return undefined;
    return (bundle) => (source as Source).overlayOf(bundle, all, context.access);
  };
  let layer: Layer | undefined;
  try {
    const all = source?.store.known?.() ?? source?.store.discoveries();
    if (all instanceof Promise) return all.then(layerOf, (error) => failed(context, error)).then(step);
    layer = all === undefined ? undefined : layerOf(all);
  } catch (error) {
    layer = failed(context, error);
  }
  return step(layer);
}

/** What is not a failure of the store is a bug, or damage, and is thrown on. */
function failed(context: Context, error: unknown): undefined {
  if (!(error instanceof Error) || error.name !== 'StoreError') throw error;
  if (failing.get(context) !== error.message) context.log(`sessions: ${error.message}; serving without discoveries`);
  failing.set(context, error.message);
  return undefined;
}
