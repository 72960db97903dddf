// /healthz: whether requests can be answered. Strangers hear one word; who may come in hears why.

import type { ServerResponse } from 'node:http';
import type { Context } from '../context.ts';
import { sendText } from './reply.ts';

export function sendHealth(context: Context, response: ServerResponse, isKnown: boolean): void {
  const bundle = context.bundle.find();
  const status = bundle === undefined ? 503 : 200;
  const word = bundle === undefined ? 'no bundle' : 'ok';
  if (!isKnown) return sendText(response, status, 'text/plain; charset=utf-8', `${word}\n`);
  const details = {
    status: word,
    bundle: bundle === undefined ? null : { digest: `sha256:${bundle.digest}` },
    uptimeSeconds: Math.floor(process.uptime()),
  };
  sendText(response, status, 'application/json', `${JSON.stringify(details)}\n`);
}
