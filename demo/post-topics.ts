import type { DemoSceneName } from './scenes.ts'

/**
 * The texts and authors of demo posts about one subject. posts.ts chooses the times, pictures and likes of
 * these posts at random.
 */
export interface DemoPostTopic {
  /** The names of the authors, who post in turn. */
  by: readonly string[]
  /** The names of the scenes from which posts.ts chooses the pictures of the posts. */
  scenes?: readonly DemoSceneName[]
  /** The period in which the posts of the topic are written: from `from` days ago to `to` days ago. */
  days?: readonly [from: number, to: number]
  texts: readonly string[]
}

export const demoPostTopics: readonly DemoPostTopic[] = [
  {
    by: ['ben'],
    scenes: ['bread', 'market'],
    texts: [
      'Walnut loaf, first attempt. Two are left on the step, honesty box as usual.',
      'Rye this morning, the dark kind. It sang while it cooled. Bread does that, put your ear to it.',
      "Yesterday's dough was in a mood, so today there is flatbread. It is very good flatbread. I am not telling the dough.",
    ],
  },
  {
    by: ['chiharu'],
    scenes: ['cat', 'garden'],
    texts: [
      'もなか、本日の睡眠時間は十九時間。\n残りの五時間は、寝る場所をさがしていました。',
      '洗濯物をたたんだら、十五秒で猫がのりました。',
      '猫が縁側から動かないので、わたしも動けません。\n仕事は明日やります、たぶん。',
    ],
  },
  {
    by: ['daniel', 'soren', 'priya'],
    scenes: ['river', 'kites'],
    texts: [
      'Walked home over the bridge instead of by the short way. Ten minutes longer, and worth all of them.',
      'A heron has taken over the third pier and charges no toll.',
      'The lamp at the east end of the bridge still flickers. I have written it down for the meeting, under “charm”.',
    ],
  },
  {
    by: ['goro'],
    scenes: ['workbench'],
    texts: [
      '鉋の刃を研いで一日が終わった。急がない仕事がいちばん早い。',
      '集会所の戸、ようやく静かに閉まるようになった。\nこれで、遅れて来てもばれない。',
      '長椅子の脚を一本つけ直した。鉋くずは箱に入れてある。焚きつけにどうぞ。',
    ],
  },
  {
    by: ['niamh'],
    scenes: ['tools', 'persimmon'],
    texts: [
      'The last tomatoes came in, all of them green. There will be chutney for anyone with jars.',
      'Found the good secateurs inside the compost. Do not ask.',
      'Raked for an hour. The maple was watching, and has now undone it.',
    ],
  },
  {
    by: ['akari', 'emi', 'akari'],
    days: [40, 14],
    scenes: ['lanterns', 'whiteboard'],
    texts: [
      '色見本で一時間もめましたが、結局いつもの赤です。',
      '川沿いの針金、張り直しました💪\n手伝ってくれた小学生のほうが上手でした😇',
      '提灯の紙、三十枚貼り終えました。指がのりでぱりぱりです。',
    ],
  },
  {
    by: ['aya', 'hana', 'tomas'],
    scenes: ['bowls', 'kiln'],
    texts: [
      'New people on the wheel today: three bowls, one ashtray, one thing. Nobody cried, which for centring is a good evening.',
      'Trimmed eleven bowls tonight and kept nine. Seconds are on the lower shelf, take one and leave one.',
      'I have made a mug. It holds almost all of a tea.',
    ],
  },
  {
    by: ['ichirozaemon', 'ranko', 'ichirozaemon'],
    scenes: ['steps'],
    texts: [
      '今朝の石段、落ち葉が三袋でした。ほうきは鳥居の横に戻しておきました。',
      '石段の途中で、二回休みました。\n上からの眺めは、いつもどおり気前がようございます。',
      '神社の杉の下は、もうすっかり冬の匂いです。\n朝はすべりますので、皆さま足もとにお気をつけて。',
    ],
  },
  {
    by: ['liesl'],
    scenes: ['knitting'],
    texts: [
      'Knitting circle was seven people and one dog. We talked about heels for an hour and nobody was bored.',
      'Dropped a stitch on row forty and noticed on row sixty. It will be a feature. I have decided.',
      'The grey wool has arrived, all twenty balls of it. Size four needles are in the biscuit tin, not in the sewing tin.',
    ],
  },
  {
    by: ['kippei', 'midori', 'kippei'],
    scenes: ['field'],
    days: [29, 9],
    texts: [
      'はざ掛けの稲で、すずめが会議をしています。議題は、たぶん稲です。',
      'うちの稲刈りも終わりました。腰も終わりました。\nお茶の差し入れ、ありがとうございました。',
      '新米、精米しました。つやつやです。\n欲しい方は、公民館の前に置いておきます。',
    ],
  },
  {
    by: ['layla', 'ben', 'layla'],
    scenes: ['market', 'bicycle', 'bowls'],
    texts: [
      "Came for leeks, left with a pumpkin I can't lift. If you are passing with a cart, I am under the plane tree, being patient.",
      'Half past six, and the queue for eggs was already cheerful.',
      'I met four neighbours in twenty metres and forgot the milk.',
    ],
  },
  {
    by: ['haruka'],
    scenes: ['books'],
    texts: [
      '絵本の棚をひとつ下げました。小さい人たちの席取りが、静かに白熱しています。',
      '返却箱に、本といっしょに柿が入っていました。\n貸出期間は、食べごろまでとします。',
      '雨の日は貸出がふえます。読み終わったら、感想を一行だけ置いていってください。',
    ],
  },
  {
    by: ['ivo', 'ivo', 'daniel'],
    scenes: ['sea', 'train'],
    texts: [
      'The 8:10 was on time, which nobody was ready for.',
      'Flat calm all the way out to the islands. If you come on the late boat, bring a coat and somebody to be quiet with.',
      'A passenger brought a cello on the ferry today and gave it the window seat.',
    ],
  },
  {
    by: ['fukurou'],
    scenes: ['river', 'roofs'],
    texts: [
      '月がよく出ています。起きている人は外へどうぞ。',
      '橋の上、風なし、人なし。\n川の音だけが働いています。',
      '夜の散歩。三人とすれちがって、三回おじぎ。\n帰ったら湯たんぽです。',
    ],
  },
  {
    by: ['tomas', 'soren', 'tomas'],
    scenes: ['bicycle'],
    texts: [
      'Fixed four punctures and one bell this afternoon. Apple cake counts double.',
      'Whose rear light has been blinking in the shed since Monday? It is very cheerful, and it will not last.',
      'New rule for the bicycle rack: the front row is for people with shopping.',
    ],
  },
  {
    by: ['nao', 'mochiko', 'nao'],
    scenes: ['soup', 'bowls'],
    texts: [
      '里いもをむきすぎました。おわん持参でどうぞ。',
      '今夜はけんちん汁🥕🍲\nなおばあ直伝、にんじんだけ星形⭐️',
      '鍋、まだ半分あります。底のほうが、いちばんおいしいところです。',
    ],
  },
  {
    by: ['priya', 'daniel', 'layla'],
    scenes: ['train', 'sea', 'field'],
    texts: [
      'Took the slow train on purpose. Window seat on the sea side, lunch open before the first tunnel.',
      "The stationmaster held the train for somebody's hat.",
      'One carriage, four passengers, a box of crabs. I read two pages in an hour and looked out for the rest.',
    ],
  },
  {
    by: ['midori', 'nao', 'mochiko'],
    scenes: ['persimmon'],
    days: [15, 1],
    texts: [
      '隣の柿が、うちの屋根に三つ落ちました。渋いかどうかは、かじった人だけが知っています。',
      '干し柿、四十二個つるしました。めじろの分は、別にしてあります。',
      '干し柿、のれんみたいでかわいい🧡\nくぐるたびに1個へります（犯人はわたし）',
    ],
  },
  {
    by: ['j'],
    texts: [
      'The hall clock is four minutes fast. I said good morning to it anyway.',
      'Fog. It was rather nice.',
      'Found a glove. Left hand, blue. On the railing by the steps.',
    ],
  },
  {
    by: ['mochiko', 'emi'],
    scenes: ['kites'],
    texts: [
      '今日の裏山、きれいすぎ🗻✨',
      '凧、電線まであと2メートル😱\n写真は心のなかにあります📷',
      'おだんご焼けました🍡\n早い者勝ち🏃💨',
    ],
  },
]
