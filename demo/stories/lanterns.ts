import type { DemoPostDefinition } from '../post-definition.ts'

/** The definitions of demo posts about the lantern festival and a trombone. */
export const lanternPosts: readonly DemoPostDefinition[] = [
  {
    by: 'niamh',
    at: [36, '18:20'],
    text: `Cleared out the tool shed behind the hall. It contained:

4 rakes
1 rake handle
1 rake head that fits no handle
11 left gloves
1 trombone

Owners, please come forward. Especially of the trombone.`,
    pictures: [['tools', 1]],
    likes: 16,
  },
  {
    by: 'priya',
    at: [20, '21:35'],
    text: `Notes from the lantern meeting, in the order in which things were shouted:

1. There will be lanterns.
2. Two hundred, if the paper lasts.
3. Red and white, as every year. Green was proposed, and mourned.
4. Ben: buns. Nao: soup. Liesl: “something warm”, which may be a garment.
5. The stage needs one more leg. Goro says it has always needed one more leg.
6. Cables stay off the path by the river (see last year).
7. Nobody is to tell the ducks.
8. Music: the trombone has been claimed. We thank Søren, and will now find out.
9. Rain plan: umbrellas. Daniel asked for this to be minuted without comment.
10. Fireworks at nine, short ones, from the far bank.
11. Clearing up: everyone, the next morning, with coffee.

Here is the board before somebody wipes it. The stall plan is not to scale. #lanterns`,
    pictures: [['whiteboard']],
    likes: 15,
  },
  { by: 'soren', at: [20, '22:10'], text: 'Regarding item 8: I have had a lesson.', likes: 18 },
  {
    by: 'akari',
    at: [19, '18:45'],
    text: '掲示板に灯り祭りの案内を貼りました。\n提灯の絵を募集しています。うまいかどうかより、まるいかどうかです。\n\nくわしくはこちら → https://tsuyuno.example/akari #灯り祭り',
    pictures: [['noticeboard']],
    likes: 11,
  },
  {
    by: 'akari',
    at: [12, '20:40'],
    text: `灯り祭り、当日の流れです。冷蔵庫に貼ってください。

十時　　集合、川沿いに杭を打つ（金づるは五郎さんのだけを使う）
十一時　電気の線、踏まない高さに
正午　　おにぎり
一時　　提灯をつるす。赤、白、赤、白。まちがえたら全員で知らんぷり
三時　　おやつ、ベンさんの丸パン
四時　　舞台の脚をたしかめる
五時　　もう一度たしかめる
六時　　なおばあの大鍋に火
七時　　点灯。合図は鐘ひとつ
八時　　踊り、そのあとトロンボーン（心の準備）
九時　　花火、みじかく、向こう岸から
十時　　解散。提灯はひと晩つけておきます

雨のときは、同じことを傘をさしてやります。`,
    likes: 14,
  },
  {
    by: 'niamh',
    at: [12, '16:10'],
    text: 'The trombone has been heard at the far end of the allotments. The birds have left. I say this neutrally.',
    likes: 17,
  },
  {
    by: 'akari',
    at: [10, '21:50'],
    text: `あしたです。

二百三個、全部つきました。ひとつだけ、ついたり消えたりしますが、それは個性ということになりました。

雨の予報は、なし。五郎さんの舞台の脚は、四本。

#灯り祭り`,
    likes: 18,
  },
  {
    by: 'fukurou',
    at: [9, '19:30'],
    text: 'あかりが入りました。#灯り祭り',
    pictures: [['lanterns']],
    likes: 21,
  },
  { by: 'mochiko', at: [9, '20:05'], text: 'きれいすぎて泣いてる😭🏮🏮🏮🏮🏮\nりんごあめ2本目🍎', likes: 10 },
  {
    by: 'emi',
    at: [9, '21:25'],
    text: 'はなび〜〜〜🎆🎇\n橋のまんなか、特等席でした！',
    pictures: [['fireworks'], ['fireworks', 4]],
    likes: 17,
  },
  {
    by: 'soren',
    at: [9, '22:30'],
    text: 'Item 8 has been carried out. The ducks were told after all.',
    likes: 20,
  },
  {
    by: 'aya',
    at: [8, '09:30'],
    text: `Thank you. All of you.

Two hundred and three lanterns, one encore, and the river path clean by nine with coffee left over. If you \
took a lantern home by mistake, keep it lit.

Lost property so far: one shoe, a tin of paprika, and a very small kimono sash. #Lanterns`,
    pictures: [
      ['lanterns', 4],
      ['fireworks', 8],
      ['river', 4],
      ['steps', 4],
    ],
    likes: 22,
  },
  {
    by: 'goro',
    at: [8, '18:00'],
    text: '舞台の脚、四本とも無事。\n三本のときのほうが静かだったと言われたが、あれはトロンボーンのせいだ。',
    likes: 13,
  },
  {
    by: 'niamh',
    at: [1, '16:30'],
    text: 'The shed, finished. Everything has a hook now, except the trombone, which has Søren.',
    pictures: [
      ['tools', 0],
      ['bicycle', 0],
    ],
    likes: 7,
  },
]
