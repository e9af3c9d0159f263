import type { PrivateChat } from '../messages.ts'

/**
 * The definitions of the private chats of people who seldom write to each other: most of these chats are with
 * Ben, two with Chiharu.
 */
export const benQuietChats: readonly PrivateChat[] = [
  {
    between: ['ben', 'kippei'],
    messages: [
      [
        '26 18:10',
        'ben: Hello Kippei-san! Daniel helped me with this.\n\n吉平さん、米粉を十キロ買えますか。',
        'kippei+60: 買えます。\nただ、「𠮷」は土のほうです。',
        'ben: すみません！！！𠮷平さん！',
        'kippei: どちらでも振り向きますが、うれしいのはこちらです。',
      ],
      [
        '21 12:30',
        'kippei: 米粉、軒先に置きました。猫がのっていたら、どけてください。',
        'ben: ねこ、のっていました。',
        'kippei: 看板娘です。',
      ],
      [
        '19 07:20',
        ['ben: こめこのパン、できました！', { pictures: [['bread', 4]] }],
        'kippei+25: もちもちですね。\n米が聞いたら、よろこびます。',
      ],
      ['3 12:20', 'ben: しおむすび、みました。それだけで、おいしいですね。', 'kippei: 以上です。'],
    ],
  },
  {
    between: ['layla', 'ben'],
    messages: [
      [
        '28 08:40',
        'layla: Two loaves are in my basket and I have only paid for one. I discovered it in front of four witnesses.',
        'ben: The second one jumped.',
        'layla: I will pay it in quinces.',
        'ben: Then I owe you a third.',
        'layla: This is how my grandmother became the owner of a donkey.',
      ],
      ['28 19:30', 'ben: Quince and walnut, tomorrow. It is your fault.', 'layla: 💛'],
      [
        '16 20:10',
        'layla: What is “crust” in your language, I mean at home?',
        'ben: We said “the good part”.',
        'layla: That is how I will translate it, then. In all four.',
      ],
      [
        '0 17:50',
        'layla: Word from the hill: the tablecloth was out this morning and you rode past. She is not angry. She has ironed it.',
        'layla: I said you would ring the whale.',
      ],
    ],
    unread: { ben: 2 },
  },
  {
    between: ['ivo', 'ben'],
    messages: [
      [
        '38 18:10',
        'ivo: From Monday the 19:10 is the last one. You will not believe me.',
        'ben: I believe you.',
        'ivo+2880: You missed it.',
        'ben: I did not believe you.',
      ],
      [
        '30 06:30',
        'ivo: The captain says: four rolls, and no seeds, because of the radio.',
        'ben: Because of the radio?',
        'ivo: They get into the buttons. We called the coastguard last week with a sunflower seed.',
      ],
      [
        '9 22:45',
        'ivo: Heard him from the boat. The whole deck stood up.',
        'ben: To leave?',
        'ivo: There is nowhere to leave on a boat. No. To listen.',
      ],
      ['2 18:30', 'ivo: Same sea, I checked.', 'ben: Check again tomorrow.', 'ivo: It is my job.'],
    ],
  },
  {
    between: ['midori', 'ben'],
    messages: [
      [
        '13 07:00',
        'midori: ベンさん、朝市のとなりの台、あいています。パンと野菜は仲がいいです。',
        'ben: ありがとうございます！いきます！まがったパンも、ありますか？いいえ、あります！',
        'midori: 曲がったパン、大歓迎です😊',
      ],
      [
        '6 12:15',
        'midori: きょうは、曲がったきゅうりと曲がったパンが、同時に売り切れました。',
        'ben: チャンピオン！🏆',
        'midori: まっすぐなのは、ぜんぶ残りました。',
      ],
      [
        '0 09:05',
        'midori: つぎの朝市、かぼちゃのパンはできますか。かぼちゃは、こちらに山ほどあります。山です。',
      ],
    ],
    unread: { ben: 1 },
  },
  {
    between: ['mochiko', 'ben'],
    messages: [
      ['33 08:20', 'mochiko: 🍞❓', 'ben: 🍞❗️', 'mochiko: 🚲💨❓', 'ben: 🕢', 'mochiko: 👋👋👋👋'],
      ['9 15:50', 'mochiko: 🍞🍞🍞🍞 → 😋 → 🙇', 'ben: 😂🫶'],
    ],
  },
  {
    between: ['chiharu', 'haruka'],
    messages: [
      [
        '20 14:10',
        'chiharu: 猫が図書カードの上で寝ています。延滞になりますか。',
        'haruka: 猫が起きるまで、期限は止まります。',
        'chiharu: では、来年までお借りします。',
      ],
    ],
  },
  {
    between: ['emi', 'chiharu'],
    messages: [
      [
        '15 16:50',
        'emi: もなか、描いてもいいですか🎨',
        'chiharu: 本人に聞いたところ、寝がえりをうちました。',
        'emi: OKってことですね！',
        ['chiharu: モデルです。', { pictures: [['cat', 0]] }],
        'emi: 神…🐈✨',
      ],
      [
        '0 20:30',
        'emi: できました！！！あした持っていきます',
        'emi: しっぽ、長くなりすぎたので、紙を足しました',
      ],
    ],
    unread: { chiharu: 2 },
  },
]
