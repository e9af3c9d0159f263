import type { Language } from '#core/contract.ts'

interface ExampleCommunity {
  people: readonly { name: string; reading?: string; bio: string }[]
  /** `by` and `likedBy` are indexes into `people`. */
  posts: readonly { by: number; hoursAgo: number; text: string; likedBy: readonly number[] }[]
  group: { name: string; messages: readonly { by: number; hoursAgo: number; text: string }[] }
}

export const exampleContent: Readonly<Record<Language, ExampleCommunity>> = {
  en: {
    people: [
      { name: 'Hana (example)', bio: 'Potter. I fire the kiln behind the hall four times a year.' },
      { name: 'Ivo (example)', bio: 'Deckhand on the island ferry.' },
      { name: 'Niamh (example)', bio: 'Allotment 7, the one with the scarecrow.' },
    ],
    posts: [
      {
        by: 0,
        hoursAgo: 74,
        text: 'The kiln is cooling. We open it on Sunday at ten, with tea. Everybody is welcome.',
        likedBy: [1, 2],
      },
      {
        by: 2,
        hoursAgo: 51,
        text: 'There are more courgettes than I can eat. A box of them is at the gate.',
        likedBy: [0],
      },
      {
        by: 1,
        hoursAgo: 29,
        text: 'The last ferry leaves at eight today, because of the wind.',
        likedBy: [],
      },
    ],
    group: {
      name: 'Summer party (example)',
      messages: [
        { by: 0, hoursAgo: 50, text: 'Who brings the long tables?' },
        { by: 1, hoursAgo: 49, text: 'I can. The van is free on Saturday.' },
        { by: 2, hoursAgo: 48, text: 'Then I bring the salad.' },
      ],
    },
  },
  ja: {
    people: [
      { name: '花（見本）', reading: 'はな', bio: '陶芸をしています。年に4回、公民館の裏で窯を焚きます。' },
      { name: '五郎（見本）', reading: 'ごろう', bio: '大工。直せるものは直します。' },
      { name: 'みどり（見本）', reading: 'みどり', bio: '畑と朝市。曲がった野菜の味方です。' },
    ],
    posts: [
      {
        by: 0,
        hoursAgo: 74,
        text: '窯を冷ましています。日曜の10時に開けます。お茶もあります。どなたでもどうぞ。',
        likedBy: [1, 2],
      },
      {
        by: 2,
        hoursAgo: 51,
        text: 'ズッキーニがたくさんとれました。門のところの箱から、自由に持っていってください。',
        likedBy: [0],
      },
      { by: 1, hoursAgo: 29, text: '公民館の戸を直しました。もう音はしません。', likedBy: [] },
    ],
    group: {
      name: '夏祭り（見本）',
      messages: [
        { by: 0, hoursAgo: 50, text: '長机はだれが持ってきますか？' },
        { by: 1, hoursAgo: 49, text: '持っていきます。土曜なら車が空いています。' },
        { by: 2, hoursAgo: 48, text: 'では、私はサラダを持っていきます。' },
      ],
    },
  },
}
