import type { DemoPostDefinition } from '../post-definition.ts'

/** The definitions of demo posts about the lost key of the hall, and of the short posts of J. */
export const keyPosts: readonly DemoPostDefinition[] = [
  { by: 'j', at: [39, '18:33'], text: 'Rain.', likes: 2 },
  {
    by: 'aya',
    at: [27, '20:55'],
    text: `Does anyone have the key to the hall?

I ask with love. It has a wooden tag with a house drawn on it, and this is what it looks like \
when it is where it belongs.`,
    pictures: [['key']],
    likes: 9,
  },
  {
    by: 'ben',
    at: [27, '21:10'],
    text: 'Not me. I have the key to the bakery, the key to the old bakery, and a key that opens nothing and came with the house.',
    likes: 8,
  },
  {
    by: 'priya',
    at: [27, '21:25'],
    text: 'Not me either, but I am standing in front of the hall with eleven chairs.',
    likes: 12,
  },
  {
    by: 'nao',
    at: [26, '06:30'],
    text: '鍵なら、うちの味噌のたるの上です。\nみんな知っていると思っていました。',
    likes: 22,
  },
  {
    by: 'aya',
    at: [26, '07:05'],
    text: 'For the record: the key lives on its hook, not on the miso barrel.\nThe miso barrel has been thanked.',
    likes: 17,
    asks: true,
  },
  { by: 'j', at: [21, '08:02'], text: "Found a spoon. Is it anyone's?", likes: 5 },
  { by: 'j', at: [15, '08:04'], text: 'The spoon was mine.', likes: 14 },
  { by: 'aya', at: [3, '21:15'], text: 'Does anyone have the key to the hall?', likes: 14 },
  { by: 'nao', at: [3, '21:30'], text: '味噌のたる。', likes: 20 },
  { by: 'j', at: [0, '20:41'], text: 'Stars.', likes: 3 },
]
