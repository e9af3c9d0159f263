import type { DemoPostDefinition } from '../post-definition.ts'

/** The definitions of demo posts that belong to no story. */
export const everydayPosts: readonly DemoPostDefinition[] = [
  {
    by: 'aya',
    at: [42, '19:05'],
    text: `So this is the veranda.

No strangers and nothing to win: just the street, the hall, and whoever has the key this week. Pull up a \
cushion.

The first picture of somebody's tea gets the good biscuits.`,
    likes: 15,
  },
  {
    by: 'chiharu',
    at: [42, '19:40'],
    text: '一番乗り。お茶です。\nビスケットは、あずき味がいいです。',
    pictures: [['garden', 1]],
    likes: 13,
  },
  {
    by: 'goro',
    at: [41, '07:15'],
    text: '孫に教わって書いている。これで見えているのか。\n見えていたら返事はいらない。会ったときに言ってくれ。',
    likes: 17,
  },
  { by: 'mochiko', at: [41, '20:20'], text: 'みえてるよ〜👀✨\n五郎さん、ようこそ🎉🎉🎉', likes: 9 },
  {
    by: 'ben',
    at: [40, '06:50'],
    text: `Morning, all. The oven is lit on Tuesdays and Fridays, and the bread leaves the house at half past seven, on the bicycle, in the order in which you wave.

New this week: a seeded one. The seeds are mostly on me.`,
    pictures: [
      ['bread', 5, 'A long loaf with four cuts, and two slices of it, on a board beside a striped cloth'],
    ],
    likes: 12,
  },
  {
    by: 'ivo',
    at: [38, '17:55'],
    text: 'Last boat of the summer timetable. From Monday the 19:40 is a 19:10, and nobody will believe it until they have missed it once.',
    pictures: [['sea', 5]],
    likes: 8,
  },
  {
    by: 'goro',
    at: [31, '19:30'],
    text: '集会所の腰かけを作る。\n三本脚にするか四本脚にするか考えて、今日は終わった。',
    pictures: [['workbench']],
    likes: 10,
  },
  {
    by: 'kippei',
    at: [30, '17:30'],
    text: '稲刈り、始めました。\n今年は実が重くて、頭がよく下がっています。見習います。',
    pictures: [['field']],
    likes: 18,
  },
  {
    by: 'ichirozaemon',
    at: [29, '07:40'],
    text: '石段の掃除をいたしました。\n数えましたら、上りは百八段、下りは百七段でした。来週また数えます。',
    pictures: [['steps', 1]],
    likes: 13,
  },
  {
    by: 'layla',
    at: [28, '08:10'],
    text: `صباح الخير من السوق 🍋

Good morning from the market. The quinces are in. They smell like somebody's grandmother's cupboard, and \
you may not eat them raw, however much you want to.`,
    pictures: [
      ['market', 1],
      ['bicycle', 8, 'My bicycle against the wall, with two loaves and far too many leeks in its basket'],
    ],
    likes: 11,
  },
  {
    by: 'chiharu',
    at: [25, '21:20'],
    text: 'もなかが、オンライン会議に出席しました。\n発言は一回、議事録には「にゃあ」と残っています。',
    pictures: [['cat', 0, '縁側で丸くなって眠る三毛猫のもなか']],
    likes: 21,
  },
  { by: 'mochiko', at: [25, '21:32'], text: `議事録に「にゃあ」${'w'.repeat(96)}`, likes: 6 },
  {
    by: 'tomas',
    at: [24, '18:05'],
    text: `The bicycle clinic was busier than the bakery, which I mention only because Ben reads this.

Nine punctures, three brakes, one bell in the shape of a whale. The next one is on the Saturday after the \
soup.`,
    pictures: [['bicycle', 4]],
    likes: 9,
  },
  {
    by: 'nao',
    at: [22, '11:00'],
    text: `きょうの大鍋、聞かれたので書いておきます。四十人分です。

里いも　八キロ（むくと六キロ）
牛こま　三キロ
こんにゃく　二十枚、手でちぎる
長ねぎ　三十本
ごぼう　十本
舞茸　けちらない
しょうゆ　一升
酒　鍋に半分、人に半分
砂糖　甘くなる手前まで

一、里いもとごぼうを水から煮る。
二、あくを取る。しゃべっていると取り忘れる。
三、肉とこんにゃくを入れる。
四、しょうゆは三回に分ける。一回で入れるのは若い人。
五、ねぎは最後。火を止めるのは、だれかが「まだ？」と三回言ってから。

残ったら、あくる日うどんを入れます。残ったことはありません。`,
    pictures: [['soup']],
    likes: 20,
  },
  {
    by: 'mochiko',
    at: [22, '14:30'],
    text: 'おなかいっぱい🍲🍠🍄💕\nおかわり3回、記録更新🏅',
    pictures: [
      ['soup', 4, 'ふたたび大鍋'],
      ['river', 0],
      ['market', 4, null],
      ['kites', 4, null],
    ],
    likes: 12,
  },
  {
    by: 'layla',
    at: [16, '12:30'],
    text: 'Slow train to the coast, with a box lunch and no plan. At the third stop a man got on with a persimmon tree, roots and all, and bought it a child’s ticket.',
    pictures: [['train']],
    likes: 12,
  },
  {
    by: 'fukurou',
    at: [13, '05:50'],
    text: null,
    pictures: [['river', 8, '霧の朝、橋の上に三人']],
    likes: 16,
  },
  {
    by: 'midori',
    at: [13, '06:20'],
    text: '朝市に出しました。ねぎ、かぶ、曲がったきゅうり。\nまっすぐなのは先に売れ、曲がったのは先に笑われます。味は同じです。',
    pictures: [
      ['market', 0],
      ['persimmon', 8],
    ],
    likes: 9,
  },
  {
    by: 'haruka',
    at: [11, '15:00'],
    text: '雨なので、読書会は縁側から図書コーナーに移ります。\n今月の一冊は、まだだれも読み終わっていません。では、そこから始めましょう。',
    pictures: [['books']],
    likes: 8,
    event: { title: '読書会', place: '図書コーナー', days: 2, from: '15:00', to: '16:30', weeks: 8 },
  },
  {
    by: 'midori',
    at: [7, '15:20'],
    text: '柿、はじめました。\nはしごはあります。勇気は各自でお持ちください。',
    pictures: [['persimmon']],
    likes: 10,
    event: {
      ...{ title: '柿もぎ', place: '裏の畑', days: 5, from: '09:30', to: '11:30', places: 6 },
      jobs: [
        { kind: 'task', title: 'はしごを支える', places: 2 },
        { kind: 'task', title: 'お茶とおにぎり', places: 1 },
        { kind: 'car', title: '広間の前 9:00', places: 3 },
      ],
    },
  },
  {
    by: 'emi',
    at: [5, '15:30'],
    text: '凧あげ日和🪁\n弟の凧、いちばん高いところで糸が切れて、鳥になりました🕊️',
    pictures: [['kites'], ['field', 4], ['kites', 8]],
    likes: 12,
  },
  { by: 'kippei', at: [3, '12:00'], text: '新米で塩むすび。\n以上です。以上で十分です。', likes: 16 },
  {
    by: 'priya',
    at: [2, '13:20'],
    text: `For the hall roof, three drawings and one very honest estimate:
https://tsuyuno.example/hall/roof/second-draft/\
drawings-and-estimate-with-snow-load-and-gutters-final-final-this-one.pdf

Please read page 4 before the meeting. Page 4 is where the money is.`,
    likes: 5,
    dates: [
      [3, '19:00'],
      [4, '19:00'],
      [6, '10:30'],
    ],
  },
  {
    by: 'ivo',
    at: [2, '18:15'],
    text: 'Fog in the morning, this in the evening. Same sea, I checked.',
    pictures: [
      ['sea', 8],
      ['sea', 4],
    ],
    likes: 10,
  },
  {
    by: 'fukurou',
    at: [1, '22:50'],
    text: '去年の今ごろは、もう雪でした。\n夜の屋根は、積もる音がします。',
    pictures: [['roofs']],
    likes: 11,
  },
  {
    by: 'chiharu',
    at: [0, '20:57'],
    text: 'もなかの場所に、わたしの座ぶとんが敷いてありました。\nすわらせてもらっています。',
    pictures: [['garden', 0, 'もみじの庭と、縁側の座ぶとんと、湯のみ']],
    likes: 6,
  },
  {
    by: 'ben',
    at: [0, '20:30'],
    text: "Tomorrow's dough is asleep under the blue cloth. It breathes. I have looked in on it twice, which is how one gets caught being fond of dough.",
    likes: 4,
  },
  { by: 'mochiko', at: [0, '20:56'], text: '一日一だんご🍡\n本日、あしたの分を前借りしました。', likes: 0 },
]
