import { seededRandom } from './random.ts'

// Texts as people write them in chats, with a vocabulary of 75,000 words of which the frequent ones are as
// frequent as in real texts (Zipf).

const frequent = {
  en: (
    'meeting school time tomorrow today people thing day week work game photo room please thanks train food ' +
    'practice team child parent answer question morning evening friend money lunch dinner weather rain river ' +
    'garden hall letter bring coming ready late early maybe sorry everyone somebody music festival budget plan'
  ).split(' '),
  kanji: (
    '学校 明日 今日 練習 会議 時間 先生 保護者 写真 連絡 準備 参加 場所 予定 子供 電車 天気 雨 電話 午後 ' +
    '午前 来週 今週 運動会 避難訓練 弁当 会費 当番 資料 公園 駅 家 人 水 本 車 音楽 大会 試合 遠足'
  ).split(' '),
  katakana: 'カレー ラーメン バスケ サッカー バス チーム アンケート メール グループ スケジュール'.split(' '),
  functions: (
    'the a to of and in is it you that for on we with this are have be at not will can do if so but my from ' +
    'as or they there what all about just up when our'
  ).split(' '),
  particles: 'の に は を が で と も の は に へ から まで の より には では とか だけ など'.split(' '),
  verbs: (
    'あります 行きます 来ます 思います 見ました 持ってきて 食べたい 作ろう 集まって 帰りました 変わりました ' +
    'お願いします 始まります 終わりました できますか ですね です でした でしょう 待っています'
  ).split(' '),
}
const kanji = [
  ...('一右雨円王音下火花貝学気九休玉金空月犬見五口校左三山子四糸字耳七車手十出女小上森人水正生青夕石赤' +
    '千川先早草足村大男竹中虫町天田土二日入年白八百文木本名目立力林六引羽雲園遠何科夏家歌画回会海絵外角' +
    '楽活間丸岩顔汽記帰弓牛魚京強教近兄形計元言原戸古午後語工公広交光考行高黄合谷国黒今才細作算止市矢' +
    '姉思紙寺自時室社弱首秋週春書少場色食心新親図数西声星晴切雪船線前組走多太体台地池知茶昼長鳥朝直通' +
    '弟店点電刀冬当東答頭同道読内南肉馬売買麦半番父風分聞米歩母方北毎妹万明鳴毛門夜野友用曜来里理話悪' +
    '安暗医委意育員院飲運泳駅央横屋温化荷界開階寒感漢館岸起期客究急級宮球去橋業曲局銀区苦具君係軽血決'),
]
const vowels = [...'aeiou', 'ai', 'ee', 'ou']
const consonants = 'b c d f g h k l m n p r s t v w st tr ch sh pl br'.split(' ')
const kana = [
  ...'アイウエオカキクケコサシスセソタチツテトナニノハフホマミムメモラリルレロンーガグゴダドバブボパプポ',
]

const pick = <T>(random: () => number, list: readonly T[]) => list[Math.floor(random() * list.length)]!
/** The first ones most often: the chance of a word is one by its place. */
const pickZipf = <T>(random: () => number, list: readonly T[]) =>
  list[Math.floor((list.length + 1) ** random()) - 1]!

function grow(first: readonly string[], count: number, make: () => string) {
  const found = new Set(first)
  while (found.size < count) found.add(make())
  return [...found]
}

export function vocabulary() {
  const random = seededRandom(11)
  const repeat = (least: number, most: number, part: () => string) =>
    Array.from({ length: least + Math.floor((most - least + 1) * random()) }, part).join('')
  return {
    en: grow(
      frequent.en,
      30_000,
      () => repeat(2, 4, () => pick(random, consonants) + pick(random, vowels)) + (random() < 0.3 ? 's' : ''),
    ),
    ja: grow(frequent.kanji, 30_000, () => repeat(2, random() < 0.2 ? 4 : 2, () => pickZipf(random, kanji))),
    katakana: grow(
      frequent.katakana,
      15_000,
      () => pick(random, kana.slice(0, 36)) + repeat(1, 4, () => pick(random, kana)),
    ),
  }
}
export type Vocabulary = ReturnType<typeof vocabulary>

/** Such things make the difference between a text and its words. */
const extras = [
  (n: number) => `${n % 24}:${String(n % 60).padStart(2, '0')}`,
  (n: number) => `${1 + (n % 12)}/${1 + (n % 28)}`,
  (n: number) => `${1 + (n % 12)}月${1 + (n % 28)}日`,
  (n: number) => `https://example.com/${n % 997}/photo?id=${n}`,
  (n: number) => `#${n}`,
  (n: number) => `${n % 100}円`,
  () => '🎉',
  () => 'ｶﾚｰ',
  () => 'ＰＴＡ',
  () => 'Zoomで',
  () => 'café',
  () => 'C++',
  () => 'e-mail',
  () => '5年2組',
]

/** Writes texts without end; `length` is about that of its shortest ones, in words. */
export function writer({ en, ja, katakana }: Vocabulary, seed: number, length: number) {
  const random = seededRandom(seed)
  let n = 0
  const sentences = {
    en(words: number) {
      const found = Array.from({ length: words }, () =>
        random() < 0.45 ? pickZipf(random, frequent.functions) : pickZipf(random, en),
      )
      const text = found.join(' ')
      return `${text[0]!.toUpperCase()}${text.slice(1)}${pick(random, ['.', '.', '!', '?', '', ','])} `
    },
    ja(words: number) {
      let text = ''
      for (let left = words; left > 0; left -= 2)
        text +=
          (random() < 0.85 ? pickZipf(random, ja) : pickZipf(random, katakana)) +
          pickZipf(random, frequent.particles)
      return `${text}${pick(random, frequent.verbs)}${pick(random, ['。', '。', '！', '、', '？', '', '\n'])}`
    },
  }
  return () => {
    const kind = random() < 0.65 ? 'ja' : 'en'
    let text = ''
    for (let left = length * (0.5 + 6 * random() ** 3); left > 0; ) {
      const words = 2 + Math.floor(random() * 8)
      text += sentences[random() < 0.95 ? kind : 'en'](words)
      left -= words
    }
    if (random() < 0.15) text += pick(random, extras)(Math.floor(1000 * random()) + n++)
    return text.trim().slice(0, 1000)
  }
}
