import type { PrivateChat } from '../messages.ts'

/**
 * The definitions of the private chats between Ben and people to whom Ben writes often, except the one with
 * Aya (see bread.ts).
 */
export const benBusyChats: readonly PrivateChat[] = [
  {
    between: ['ben', 'tomas'],
    messages: [
      [
        '40 07:10',
        'ben: The chain came off on the hill. I have delivered four loaves at a run.',
        'tomas: Which hill?',
        'ben: There is one hill, Tomás.',
        'tomas: Bring it at six. Bring cake.',
        'ben: I am a BREAD baker.',
        'tomas: Bring bread with sugar on.',
      ],
      [
        '24 20:05',
        'tomas: Busier than the bakery. I said what I said.',
        'ben: Nine punctures. I counted the glass on the road. Where did the glass come from, Tomás?',
        'tomas: I resent that.',
        'tomas: It was Ivo’s bottle crate.',
      ],
      [
        '24 21:00',
        'ben: Is the whale bell taken?',
        'tomas: It is on your handlebars. Go and look.',
        'ben+6: 🐳',
        'ben: I may cry. It goes “whoo”.',
      ],
      [
        '17 23:05',
        'ben: You asked her what would happen?',
        'tomas: In the spirit of science.',
        'ben: And?',
        'tomas: She handed me a broom and pointed at the lane.',
      ],
      [
        '11 18:00',
        'ben: Two hundred and twenty buns. You shape, I bake, nobody names them.',
        'tomas: I have already named the first one.',
        'ben: No.',
        'tomas: Gustavo.',
        'ben: NO.',
      ],
      ['10 22:30', 'tomas: Gustavo looks good.', 'ben: Gustavo looks very good. Go home.'],
      [
        '9 12:10',
        ['tomas: Somebody is eating Gustavo.', { pictures: [['bread', 5]] }],
        'ben: It is what he would have wanted.',
      ],
      [
        '2 17:45',
        'tomas: The brake squeals in D, by the way. Søren says it is a quarter tone flat.',
        'ben: Can you fix it?',
        'tomas: I can make it C.',
      ],
      [
        '0 19:05',
        'tomas: Your back wheel is true again. It was telling small lies.',
        'tomas: Also there was a whole roll in the bell.',
      ],
    ],
    unread: { ben: 2 },
  },
  {
    between: ['ben', 'daniel'],
    messages: [
      [
        '33 19:20',
        'daniel: To be clear, I do not accuse the bread hook.',
        'ben: The bread hook is relieved.',
        'daniel: I merely place it at the scene.',
      ],
      [
        '28 16:00',
        'daniel: The children would like to know how bread knows when it is done.',
        'ben: It says so. Knock on it from below.',
        'daniel: What does it say?',
        'ben: “Come in.”',
        'daniel: I am using that, word for word.',
      ],
      [
        '28 16:40',
        'daniel: We have now knocked on the table, the door, Kenji and the globe. Only the globe was done.',
      ],
      [
        '21 20:00',
        'ben: Your pronunciation of パン is perfect, by the way. The whole queue said so.',
        'daniel: I practised on the landlady.',
        'ben: What did she say?',
        'daniel: “Toast.”',
      ],
      [
        '5 10:30',
        'daniel: How long does one beat eggs for a cake that says thank you?',
        'ben: Ten minutes by hand. It is not a thank-you if you use the machine.',
        'daniel+15: My arm says it is a very large thank-you.',
        'ben: Add lemon. Everything true has some lemon in it.',
        'daniel: 🍋',
      ],
    ],
  },
  {
    between: ['ben', 'hana'],
    messages: [
      [
        '24 12:00',
        'ben: One crock, please. Big, straight, with a lid. Nothing clever.',
        'hana: I do not do clever.',
        'ben: You put a face on the last lid.',
        'hana: It was laughing when it came out. I only left it.',
      ],
      [
        '14 09:30',
        'hana: I am sorry about the crock.',
        'ben: What happened?',
        'hana: It sat down.',
        'ben: I know how it feels. I have called it a dish, and now everybody wants one.',
        'hana: I cannot make one on purpose!',
        'ben: Then it is priceless. It has butter on it.',
      ],
      [
        '14 13:15',
        ['hana: Your dish’s cousins.', { pictures: [['bowls', 5]] }],
        'ben: They look like they are waiting for a bus.',
        'hana: They are. It is called Thursday.',
      ],
      [
        '3 15:00',
        'hana: Next firing is in the new year. Do you want to try the crock again?',
        'ben: Yes. And if it sits down again, I will take that as advice.',
      ],
    ],
  },
  {
    between: ['ben', 'niamh'],
    messages: [
      [
        '37 11:20',
        'niamh: I have eleven kilos of courgettes and no friends left.',
        'ben: Courgette bread.',
        'niamh: Is that a thing?',
        'ben: It will be on Friday.',
      ],
      ['35 08:00', 'ben: It is a thing.', 'niamh: It is GREEN.', 'ben: It is proud.'],
      [
        '20 22:00',
        'ben: Did you see item 7?',
        'niamh: Nobody is to tell the ducks. I have told the ducks.',
        'ben: Niamh!',
        'niamh: They had a right to know.',
      ],
      [
        '7 14:10',
        'niamh: The mayor has asked whether the scarecrow is meant to look like him.',
        'ben: What did you say?',
        'niamh: That it was there first.',
        'ben: 😂😂😂',
      ],
    ],
  },
  {
    between: ['ben', 'liesl'],
    messages: [
      [
        '34 17:10',
        'ben: Could one knit a cosy for a dough bowl? About this big.',
        'liesl: I cannot see how big from here, dear.',
        'ben: As big as a sleeping cat.',
        'liesl: That I can knit.',
      ],
      [
        '26 19:50',
        'liesl: It is finished. It has a collar, because dough has a neck.',
        'ben: Gladys is wearing it. She has risen twice as high, from vanity.',
      ],
      [
        '18 20:25',
        'ben: Who is the scarf for?',
        'liesl: It has not said.',
        'ben: It was looking at me.',
        'liesl: It was looking at your bread.',
      ],
    ],
  },
  {
    between: ['ben', 'nao'],
    messages: [
      [
        '31 09:00',
        'ben: なおさん、こんにちは。ベンです。パン、すきですか。',
        'nao: 好きです。味噌をぬります。',
        'ben: みそを！？',
        'nao: ぬりなさい。',
      ],
      ['30 07:50', 'ben: ぬりました。\n\n(I have no words in either language.)', 'nao: でしょう。'],
      [
        '22 08:30',
        'nao: パン十四本、助かります。汁につけると聞きました。',
        'ben: はい。つけます。たくさん。',
        'nao: いい人です。',
      ],
      ['26 07:30', 'ben: かぎ、みそのたる、ありがとうございます！', 'nao: 若い人は、上を見ない。'],
      ['3 21:40', 'ben: たる？', 'nao: たる。', 'ben: 😂'],
    ],
  },
]
