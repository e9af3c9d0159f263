/** A member of the demo community, which is in Tsuyuno (露野), an invented town by a river. */
export interface DemoMember {
  name: string
  /** How the name is read. */
  reading?: string
  email: string
  bio: string | null
  /** The key of the member's portrait (see portraits.ts); null if the member has no portrait. */
  face: string | null
  lang: 'en' | 'ja'
}

/** The password of every member of the demo community. */
export const DEMO_PASSWORD = 'engawa-demo'

const en = (who: string, name: string, bio: string | null, face: string | null = who): DemoMember => ({
  name,
  email: `${who}@engawa.example`,
  bio,
  face,
  lang: 'en',
})
const ja = (who: string, name: string, bio: string | null, face: string | null = who): DemoMember => ({
  ...en(who, name, bio, face),
  ...(readings[who] && { reading: readings[who] }),
  lang: 'ja',
})

const readings: Readonly<Record<string, string>> = {
  chiharu: 'くわばら ちはる',
  emi: 'えみ',
  goro: 'ごろうさん',
  midori: 'さとう みどり',
  ichirozaemon: 'たなか いちろうざえもん',
  akari: 'たかなし あかり',
  mochiko: 'もちこ',
  ranko: 'さいおんじ らんこ',
  haruka: 'わたなべ はるか',
  kippei: 'たかはし きっぺい',
}

/** All members of the demo community in the order of their user ids. The first one is the admin. */
export const demoMembers: DemoMember[] = [
  en(
    'aya',
    'Aya Morita',
    'I look after the hall, the kiln rota and this site. If something is broken, tell me. If the key is missing, tell everyone.',
  ),
  en(
    'ben',
    'Ben Okafor',
    'Bread on Tuesdays and Fridays, delivered by bicycle in the order in which you wave.',
  ),
  ja('chiharu', '桑原 千春', '在宅で図面を引いています。上司は三毛猫のもなか。'),
  en(
    'daniel',
    'Daniel Whitcombe-Featherstonehaugh',
    'Teaches at the school by the bridge. Learning Japanese, slowly, from people who are very patient. Yes, it is pronounced “Fanshaw”.',
  ),
  ja('emi', 'Emi', '高2 🎨 弟がいます🐸 / drawing, kites, snacks'),
  ja('goro', '五郎さん', '大工。七十三歳。直せるものは直す。'),
  en(
    'hana',
    'Hana Lindqvist',
    'Potter. I fire the kiln behind the hall four times a year.\nPlease do not ask what is in it until it has cooled.',
  ),
  ja('midori', '佐藤 みどり', '畑と朝市。曲がった野菜の味方です。', null),
  en(
    'ivo',
    'Ivo Marković',
    'Deckhand on the island ferry. I know when the next boat leaves, and so do you, it is on the wall.',
  ),
  ja('ichirozaemon', '田中 一郎左衛門', '十四代目です。名前は長いですが、気は短くありません。', null),
  en('liesl', 'Liesl Hinterobergrubenschneiderhausmannsdorffer', 'Knits. The doorplate is two doors wide.'),
  en('layla', 'ليلى النجّار', 'Translator between four languages and one market stall. صباح الخير'),
  ja('fukurou', 'ふくろう', '夜に歩いて、写真を撮ります。', 'owl'),
  ja('akari', '小鳥遊 灯', '「たかなし あかり」と読みます。灯り祭りの実行委員。名前で選ばれました。'),
  en(
    'priya',
    'Priya Raman',
    'Architect of small roofs. Keeper of the whiteboard.\nhttps://tsuyuno.example/hall',
  ),
  ja('mochiko', 'もち子🍡', '🍡🍵🐈🎆♨️🚲☔️🍠💤', 'dango'),
  en('tomas', 'Tomás Echeverría-Quinn', 'Bicycle clinic in the shed, most evenings. Payment in cake.'),
  ja('ranko', '西園寺蘭子', null, null),
  en('soren', 'Søren', null, null),
  ja('haruka', '渡邊 はるか', '公民館の図書コーナー係。「邊」の字は、これです。'),
  ja('nao', 'なおばあ', 'みそ、つけもの、大鍋。聞けば教えます。聞かなくても教えます。'),
  en('niamh', 'Niamh O’Malley', 'Allotment 7, the one with the scarecrow that looks like the mayor.'),
  en('j', 'J', null, null),
  ja('kippei', '髙橋 𠮷平', '米を作っています。はしごの髙、土の𠮷です。'),
]

/**
 * Returns the index of a member in `demoMembers`. `who` is the part of the member's email address before the
 * @. Throws if there is no such member.
 */
export function memberIndex(who: string) {
  const index = demoMembers.findIndex(({ email }) => email === `${who}@engawa.example`)
  if (index < 0) throw new Error(`Nobody in the cast is called ${who}`)
  return index
}

const everybody = demoMembers.map(({ email }) => email.split('@')[0]!)
// The people whom each member follows. A person is named by the part of the email address before the @. J has
// no entry, because J follows nobody.
const following: Record<string, string | readonly string[]> = {
  aya: 'ben chiharu daniel goro hana akari priya haruka nao niamh',
  ben: 'aya daniel hana liesl tomas niamh nao kippei',
  chiharu: 'aya emi haruka fukurou mochiko goro',
  daniel: 'aya ben ranko ivo emi priya haruka layla niamh',
  emi: 'chiharu mochiko akari daniel fukurou',
  goro: 'nao',
  hana: 'aya ben tomas priya goro kippei layla',
  midori: 'nao kippei niamh ben haruka',
  ivo: 'daniel ben soren layla',
  ichirozaemon: 'ranko akari aya kippei goro nao',
  liesl: 'layla niamh aya hana emi',
  layla: 'aya ben liesl priya haruka daniel midori tomas ivo',
  fukurou: 'akari chiharu ivo',
  akari: 'aya emi goro priya fukurou mochiko ichirozaemon soren kippei nao',
  priya: 'aya goro hana akari tomas layla soren',
  mochiko: everybody,
  tomas: 'ben hana niamh soren priya',
  ranko: 'daniel ichirozaemon',
  soren: 'ivo priya niamh',
  haruka: 'chiharu aya layla akari midori daniel',
  nao: 'aya goro midori kippei mochiko emi ben',
  niamh: 'ben midori aya liesl soren kippei',
  kippei: 'nao midori hana aya',
}

/**
 * The follows of the demo community: pairs of a follower and a followed member, as indexes in `demoMembers`.
 */
export const followPairs: (readonly [follower: number, followed: number])[] = Object.entries(
  following,
).flatMap(([who, whom]) =>
  (typeof whom === 'string' ? whom.split(' ') : whom)
    .filter((name) => name !== who)
    .map((name) => [memberIndex(who), memberIndex(name)] as const),
)
