import type { DemoPostDefinition } from '../post-definition.ts'

/** The definitions of demo posts about a lost red umbrella and a scarf. */
export const umbrellaPosts: readonly DemoPostDefinition[] = [
  {
    by: 'liesl',
    at: [35, '20:45'],
    text: `I have begun a scarf. My grandmother had a word for people who begin things, and she always meant me:

Handarbeitskorbüberfüllungsbeauftragtenversammlungsprotokollführerinnenstellvertreterin

It takes longer to say than most scarves take to knit.`,
    likes: 11,
  },
  {
    by: 'daniel',
    at: [33, '18:50'],
    text: `Lost: one red umbrella.

I want to be precise, because last time I said “the red one” and was brought four.

It is paper and bamboo, it belongs to my landlady, and it is older than I am. I had it on the 8:10 ferry, \
because Ivo told me to stop dripping on the timetable. I had it in the bakery, because Ben hung it on the \
bread hook. I had it at the hall, where I put it in the stand between a black one and a child's one with \
frogs on it. Then there was a meeting about chairs, and after the meeting I had the one with the frogs.

So somewhere in this town a child is walking about under a very large red umbrella, and is, I imagine, \
delighted.

I have looked in the cloakroom, behind the piano, in the piano, and in the cupboard that everybody says \
not to open, where I found the missing chairs.

I am not angry. I would only like to be able to tell Mrs Saionji that it is safe before she asks, and she \
asks on Sundays.

The frogs are dry and well, and can be collected from me at any hour.`,
    likes: 19,
  },
  {
    by: 'ranko',
    at: [32, '10:15'],
    text: 'あの傘は、雨の日に使うものでございます。\nなくしたのではなく、働いているのでしょう。',
    likes: 20,
  },
  {
    by: 'emi',
    at: [31, '16:40'],
    text: '🐸☂️ ← これ、弟のです！！！\n赤いのは「おとなの傘」と言って離しません…すみません🙇‍♀️',
    likes: 14,
  },
  {
    by: 'emi',
    at: [26, '17:15'],
    text: '弟、赤い傘を学校に置いてきたそうです…\n理由：「晴れたから」☀️',
    likes: 10,
  },
  {
    by: 'daniel',
    at: [19, '19:20'],
    text: 'There is a drawing of my umbrella on the noticeboard. It is a very good likeness. Nobody has confessed to the drawing either.',
    likes: 13,
  },
  {
    by: 'liesl',
    at: [18, '20:15'],
    text: 'The scarf has reached the length at which people ask who it is for. I do not know yet. It will tell me.',
    pictures: [['knitting']],
    likes: 8,
  },
  {
    by: 'ranko',
    at: [6, '16:45'],
    text: '傘が、ひとりで帰っておりました。\n路地の奥で、ひらいて、待っておりました。\n\n乾かしてくださった方、ありがとうございます。',
    pictures: [['umbrella', 0, '石畳の路地に、ひらいて置かれた赤い蛇の目傘']],
    likes: 23,
  },
  {
    by: 'daniel',
    at: [6, '17:10'],
    text: `Sunday is saved, and so am I.

To whoever dried it, mended the third rib and said nothing: I know how to bake exactly one cake, and it is \
yours.`,
    likes: 19,
  },
  { by: 'goro', at: [6, '19:00'], text: '知らん。', likes: 21 },
  {
    by: 'liesl',
    at: [4, '20:30'],
    text: 'The scarf is for the boy with the umbrella. It has frogs on the inside, where only he will know.',
    pictures: [['knitting', 8, null]],
    likes: 18,
  },
]
