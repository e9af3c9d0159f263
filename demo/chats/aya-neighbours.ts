import type { PrivateChat } from '../messages.ts'

/** The definitions of the private chats between Aya and people to whom Aya seldom writes. */
export const ayaQuietChats: readonly PrivateChat[] = [
  {
    between: ['aya', 'goro'],
    messages: [
      [
        '40 08:30',
        'aya: 五郎さん、見えています！とてもよく見えています。',
        'goro+720: そうか。',
        'goro: 会ったときに言えと書いたのに。',
      ],
      [
        '25 09:00',
        'aya: 腰かけの脚、三本ですか、四本ですか？',
        'goro+300: 三本はがたつかん。四本は人が安心する。',
        'aya: では…',
        'goro+60: 考え中だ。',
      ],
      ['18 12:15', 'aya: 舞台の件、ほんとうにお願いしていいんですか。', 'goro+95: もう切った。'],
      [
        '5 07:50',
        'aya: 傘の骨、三本目を直したのは五郎さんですよね。',
        'goro+400: 知らん。',
        'aya: 乾かす台も出しっぱなしですよ。',
        'goro+30: 片づける。',
      ],
      [
        '0 12:05',
        'aya: 腰かけ、十脚そろいました。ありがとうございます。座ったら、だれも帰らなくなりました。',
      ],
    ],
    unread: { goro: 1 },
  },
  {
    between: ['aya', 'niamh'],
    messages: [
      [
        '36 18:25',
        'niamh: I have a list of the shed for you. You may want to sit down for the last item.',
        'aya: I am sitting.',
        'niamh: 1 trombone.',
        'aya: I am lying down.',
      ],
      ['20 22:20', 'niamh: Søren has had “a lesson”. From whom??', 'aya: From the trombone, I think.'],
      ['12 16:20', 'aya: Is it as bad as that?', 'niamh: The scarecrow has turned round.'],
      [
        '9 22:55',
        'niamh: I take it all back.',
        'niamh: Do not tell him.',
        'aya: He can probably hear it from here. 🎺',
      ],
      [
        '1 17:00',
        [
          'niamh: Every single thing has a hook. I have nothing left to be cross about.',
          { pictures: [['tools', 0]] },
        ],
        'aya: The left gloves?',
        'niamh: One hook, eleven gloves. It looks like applause.',
      ],
    ],
  },
  {
    between: ['aya', 'liesl'],
    messages: [
      [
        '24 17:35',
        'liesl: Dear Aya, I wanted to ask whether the knitting circle may have the small room on Wednesdays. We are quiet, except when somebody counts.',
        'aya: Of course! How many are you?',
        'liesl: Seven and one dog. The dog does not count, which is why he is popular.',
      ],
      [
        '18 20:20',
        'aya: I hear that the scarf will tell you who it is for.',
        'liesl: It is still thinking. It has begun to lean towards green.',
      ],
      [
        '4 20:40',
        'aya: Frogs on the inside 🐸 Liesl, I have something in my eye.',
        'liesl: It will be wool. It gets everywhere.\n\nAlso: thank you.',
      ],
    ],
  },
  {
    between: ['ichirozaemon', 'aya'],
    messages: [
      [
        '29 08:20',
        'ichirozaemon: 突然のお便り、失礼いたします。石段の落ち葉の件で、ほうきを一本お借りしたく存じます。',
        'aya: どうぞどうぞ、物置の左側です。どれでもお使いください。',
        'ichirozaemon: かたじけなく存じます。\n\n十四代、ほうきをお借りするのは初めてでございます。',
      ],
      [
        '22 16:45',
        'ichirozaemon: 数え直しました。やはり上りは百八段、下りは百七段でございます。',
        'aya: 一段、どこへ行くんでしょう。',
        'ichirozaemon: 下りのときは、もう急いでおりますので。',
      ],
      [
        '0 18:55',
        'ichirozaemon: 初雪の前に、手すりの縄を新しくいたします。ご都合のよい日に、縄の片端を持っていただけますでしょうか。',
        ['ichirozaemon: ', { pictures: [['steps', 1]] }],
      ],
    ],
    unread: { aya: 2 },
  },
  {
    between: ['mochiko', 'aya'],
    messages: [
      ['42 20:10', 'mochiko: きたよ〜〜〜🍡🎉', 'aya: いらっしゃい！'],
      ['25 21:40', 'mochiko: 議事録にゃあ🐈', 'mochiko: にゃあ', 'aya: にゃあ'],
      [
        '16 18:00',
        'mochiko: お皿かりたよ🍽️',
        'mochiko: だんごのせて返す🍡',
        'mochiko: のせた',
        'mochiko: たべた',
        'mochiko: もういっかいのせる',
        'aya: ゆっくりでいいですよ😂',
      ],
      [
        '9 15:35',
        'mochiko: ベンさんのパン最後の1個たべたのわたしです…ごめんなさい🙇',
        ['mochiko: おいしかったです', { pictures: [['bread', 5]] }],
        'aya: 最後の一個ではなく、最後の四個だったと聞きました。',
        'mochiko: 🙈🙈🙈🙈',
      ],
      [
        '0 19:30',
        'mochiko: ねえねえ',
        'mochiko: あしたのだんご、前借りしたから、あさってのも前借りしていい？',
      ],
    ],
    unread: { aya: 2 },
  },
  {
    between: ['layla', 'aya'],
    messages: [
      [
        '15 10:30',
        'layla: صباح الخير, dear Aya. The notice for the market: I have it in four languages now. In Arabic it is shorter, in German it is a novel.',
        'aya: You are incredible. Can we hang all four?',
        'layla: If the board is strong. Liesl has checked the German, it fits if we fold it.',
      ],
      ['15 11:05', 'aya: Folded it is! Thank you 🍋', 'layla: 🍋'],
    ],
  },
]
