/** Fields that some request of tests/permission-scene.ts needs; the others ignore them. */
export const words = {
  ...{ text: 'x', message: 'x', input: 'x' },
  messages: 'keep',
  ...{ name: 'x', title: 'x', last_read_id: 1, shown_to: 'owners', writers: 'all', access: 'ask' },
  seconds: 10,
  has_ended: true,
  for: 'hour',
  ...{ quantity: 1, max_uses: 1 },
  ...{ answer: 'x', socket_id: '1.1' },
  channel_name: 'presence-here',
  code: '0000-0000',
  key: 'list',
  rows: [{ name: 'Zoe' }],
  privacy: 'name',
  frequency: 'daily',
  is_shared: true,
  emoji: encodeURIComponent('👍'),
}
