import type { PrivateChat } from '../messages.ts'

/**
 * The definitions of the private chats between Aya and people to whom Aya writes often, except the one with
 * Ben (see bread.ts).
 */
export const ayaBusyChats: readonly PrivateChat[] = [
  {
    between: ['aya', 'nao'],
    messages: [
      [
        '40 09:10',
        'aya: なおさん、登録ありがとうございます！文字の大きさ、だいじょうぶですか。',
        'nao: 眼鏡があります。',
        'nao+3: 漬けものも、あります。',
        'aya: 取りにうかがいます😊',
      ],
      ['27 21:20', 'aya: あの、集会所の鍵をごぞんじないですよね…？', 'nao: 寝ます。おやすみなさい。'],
      [
        '26 06:32',
        'nao: いま読みました。\nたるの上です。',
        'aya: たるの上。',
        'nao: 雨がかからないから。',
        'aya: なるほど。ありがとうございます。九年、知りませんでした。',
        'nao: 聞かれれば教えました。聞かれなくても教えたつもりでした。',
      ],
      [
        '23 08:00',
        'nao: 大鍋の里いも、八キロ。皮むきの人、何人いますか。',
        'aya: いま四人です。',
        'nao: 口の数は？',
        'aya: 四十です。',
        'nao: 皮むき、十人にしてください。',
      ],
      [
        '23 20:15',
        'aya: 十一人になりました。ダニエルさんは、皮むきは初めてだそうです。',
        'nao: ばんそうこうを多めに。',
        'aya: 🩹',
      ],
      [
        '16 17:40',
        'nao: きのうのお皿、洗って縁側に置きました。\n一枚、足が生えて行きました。',
        'aya: 足が？',
        'nao: もち子ちゃんが持っていきました。だんごのせて返すそうです。',
      ],
      [
        '8 06:40',
        'nao: けさの片づけ、おにぎり三十個。梅と、なにか。',
        'aya: なにか、とは。',
        'nao: あけた瓶に名前がありませんでした。おいしいです。',
      ],
      ['3 21:32', 'aya: …たるですか。', 'nao: たるです。'],
      [
        '0 20:12',
        'nao: あした、味噌をかき混ぜに来ませんか。\n腕のある人と、歌のある人が要ります。',
        ['nao: こんな具合です。', { pictures: [['soup', 0]] }],
        'nao+5: 鍵はいりません。あいています。',
      ],
    ],
    unread: { aya: 3 },
  },
  {
    between: ['aya', 'hana'],
    messages: [
      [
        '38 10:05',
        'hana: Rota for the wheel is on the door. You are on twice, I am sorry, nobody else could centre on a Tuesday.',
        'aya: I cannot centre on a Tuesday either.',
        'hana: No, but you laugh while you do it. It helps the others.',
      ],
      [
        '23 21:55',
        'hana: The kettle has given up. Nineteen glazed, two fell in love with each other on the way to the shelf.',
        'aya: Can they be parted?',
        'hana: With a chisel. I have left them. They are a sugar bowl now.',
      ],
      [
        '17 21:10',
        'aya: How hot?',
        'hana: 1140 and climbing. Do not make me look away.',
        'aya: Sorry!',
        'hana+95: 1230. I can talk now. I have nothing to say. It is beautiful.',
      ],
      [
        '14 09:05',
        'hana: Come.',
        'aya: Is it good?',
        'hana: Come and bring nobody, for ten minutes. Then bring everybody.',
        [
          'hana+55: For the newsletter, if we ever have one.',
          {
            pictures: [
              ['kiln', 0],
              ['bowls', 5],
            ],
          },
        ],
        'aya: We have one now. You are all of it.',
      ],
      [
        '11 14:20',
        'aya: Nine people have asked for mugs. I told them: Thursday, and that you bite.',
        'hana: I only bite at leather-hard.',
      ],
      [
        '2 19:40',
        [
          'hana: Clay is 18 a bag now, so the beginners’ fee would have to be 6.',
          { textBeforeEdit: 'hana: Clay is 81 a bag now, so the beginners’ fee would have to be 6.' },
        ],
        'aya: Eighteen is fine. For a moment I thought we would have to sell the kiln.',
        'hana: My fingers were wet. They always are.',
      ],
    ],
  },
  {
    between: ['aya', 'priya'],
    messages: [
      [
        '27 21:26',
        'priya: I have eleven chairs and no door.',
        'aya: I am asking EVERYONE.',
        'priya: No hurry, I am sitting.',
        ['priya: It is rather a nice view, as doors go.', { pictures: [['steps', 4]] }],
        'aya: You are a saint and I am bringing you soup.',
      ],
      [
        '21 12:00',
        'priya: Agenda for the lantern meeting. I have left half a page for shouting.',
        'aya: Make it a whole page.',
        'priya: Then I need the big whiteboard.',
        'aya: It is yours. It has always been yours.',
      ],
      [
        '5 17:15',
        'priya: I have been on the roof. May I be honest?',
        'aya: You are going to be anyway.',
        'priya: The north gutter is held up by a bird’s nest.',
        'aya: Is anyone living in it?',
        'priya: Not until spring. So we have until spring.',
      ],
      [
        '2 13:25',
        'priya: Here: https://tsuyuno.example/hall/roof/second-draft/drawings-and-estimate-with-snow-load-and-gutters-final-final-this-one.pdf',
        'aya: Is this the one?',
        'priya: It says so in the name.',
        'aya: It also says second draft in the name.',
        'priya: It is the final final second draft.',
        'aya: 📄☕️',
      ],
      [
        '1 09:50',
        'aya: I slept on page 4. Two winters, north side first?',
        'priya: North side first. I would have said so, but I wanted it to be your idea.',
        'aya: It was on page 5.',
        'priya: You read page 5!',
      ],
      [
        '0 20:22',
        'priya: One more thing about the roof evening, and then I will let you have your tea.',
        'priya: Could we have the stools in a half circle? People agree to more when they can see each other’s knees.',
      ],
    ],
    unread: { aya: 2 },
  },
  {
    between: ['aya', 'daniel'],
    messages: [
      [
        '41 20:00',
        'daniel: こんばんは。ダニエルです。日本語でかきます。',
        'aya: すばらしいです！',
        'daniel: ありがとうございます。もう、つかれました。',
        'aya: 😄 English is allowed too.',
        'daniel: Oh, thank goodness.',
      ],
      [
        '34 18:05',
        'daniel: What is the difference between かさ and かさ?',
        'aya: One is an umbrella and one is a volume, as in bulk.',
        'daniel: Then I have asked the lost property office for a great deal of volume.',
      ],
      [
        '33 19:00',
        'daniel: You will have seen that I have lost it.',
        'aya: The umbrella, or generally?',
        'daniel: I keep both options open.',
      ],
      [
        '23 07:45',
        'daniel: About the peeling. Is there a technique?',
        'aya: Hold the taro, not the thumb.',
        'daniel: Understood.',
        'daniel+190: I held the thumb.',
      ],
      [
        '13 16:30',
        ['daniel: 生徒がかきました。“Autumn in four pencils”.', { pictures: [['kites', 0]] }],
        'aya: It is lovely. May I hang it in the hall?',
        'daniel: She would burst. Yes.',
      ],
      [
        '6 17:20',
        'daniel: One cake. I can bake exactly one cake, and I do not know to whom.',
        'aya: Bake it. Put it where umbrellas go to dry. Someone will know.',
        'daniel: That is either very wise or a riddle.',
        'aya: It is the workshop behind the hall, Daniel.',
        'daniel+4: OH',
      ],
      [
        '4 08:15',
        'daniel: I put it on the bench. When I came back for the tin it was empty, washed, and had a new handle.',
        'aya: 知らん、と言っていました。',
        'daniel: I understood that one!',
      ],
    ],
  },
  {
    between: ['aya', 'akari'],
    messages: [
      [
        '35 20:30',
        'akari: 実行委員、わたしでいいんでしょうか。',
        'aya: 名前が「灯」の人、ほかにいません。',
        'akari: 選考理由、ほんとうにそれだけだったんですね…',
        'aya: あと、去年いちばん最後まで片づけていたからです。',
        'akari: 😭',
      ],
      [
        '20 22:40',
        'akari: 会議おつかれさまでした。緑の提灯、なぜあんなに…',
        'aya: 緑には緑の支持者がいます。',
        'akari: 来年、一個だけ、こっそり。',
        'aya: 聞かなかったことにします。',
      ],
      [
        '12 20:30',
        'akari: 当日の流れ、これで出していいですか。「心の準備」は消したほうが…？',
        'aya: 残しましょう。いちばん大事な行です。',
      ],
      [
        '10 17:20',
        'akari: 天気予報、五つ見ました。四つ晴れ、一つ「ところにより」です。',
        'aya: 五つ目は見なかったことに。',
        'akari: はい！',
      ],
      [
        '9 19:02',
        ['akari: つきました', { pictures: [['lanterns', 32]] }],
        'aya: 見えています。橋の上で、みんな黙りました。',
        'akari+12: 鐘、ひとつ余分に鳴らしました。手がふるえて。',
        'aya: 二つ目のほうが、きれいでした。',
      ],
      [
        '8 21:15',
        'akari: 忘れものの小さい帯、うちの姪のでした🙈',
        'aya: 姪ごさん、帯なしで帰ったんですか。',
        'akari: ふろしきで帰りました。本人は気に入っています。',
      ],
      [
        '1 19:20',
        'akari: 来年の話をしてもいいですか。',
        'aya: 鬼が笑いますよ。',
        'akari: 笑わせておきましょう。千個、どうですか。',
        'aya+8: 千…',
        'aya: のり、足りますかね。',
      ],
    ],
  },
  {
    between: ['aya', 'haruka'],
    messages: [
      [
        '30 13:30',
        'haruka: 図書コーナーの棚、もう一段ふやしてもいいでしょうか。',
        'aya: もちろんです。五郎さんに聞いてみますね。',
        'haruka: もう聞きました。\nもう出来ました。',
        'aya: いつのまに。',
      ],
      [
        '18 10:10',
        'haruka: 返却箱の件です。本のかわりに、靴下が片方入っていました。',
        'aya: 貸出記録は。',
        'haruka: ありません。寄贈あつかいにします。',
      ],
      [
        '11 16:20',
        'haruka: 読書会、五人でした。読み終わった人は、今日もゼロです。',
        'aya: 来月も同じ本で？',
        'haruka: 来月も同じ本で。もう親せきみたいなものです。',
      ],
      [
        '4 11:00',
        'aya: 柿、いりませんか。ベンさんに送るところでした。',
        'haruka: 届いていたら、ジャムになっていましたね。いただきます。',
        'haruka+1: 🧡',
      ],
      [
        '1 15:40',
        ['haruka: 雨の棚、こうなりました。', { pictures: [['books', 0]] }],
        'aya: いいですね。いちばん上の青い本、まだありましたか。',
        'haruka: あります。三年前から、だれも借りていないのに、いつも誰かが読んでいます。',
      ],
    ],
  },
]
