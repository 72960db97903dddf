// The list entries of what is made at request time: sessions and discoveries. The bundle has their place in
// the list; what they say is read live.

import type { Entry } from './render.ts';

export function renderLive(): Entry[] {
  return [
    live('context://session/current', 'Current Session', 'Active session information and activity'),
    live('context://sessions/recent', 'Recent Sessions', 'List of recent coding sessions'),
    live('context://discoveries', 'Discoveries', 'What was discovered in sessions and accepted, newest first'),
  ];
}

function live(uri: string, name: string, description: string): Entry {
  const mediaType = 'text/markdown';
  return { uri, name, title: name, description, mediaType, text: '', cuts: [], isListed: true, isLive: true };
}
