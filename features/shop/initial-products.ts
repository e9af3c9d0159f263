import type { Sentence } from '#core/contract.ts'

interface ProductSeed {
  name: string
  price: number
  picture: string
  alt: Sentence
  about: Sentence
}

/** A migration inserts them, so the list must never change after a release. */
export const initialProducts: readonly ProductSeed[] = [
  {
    name: 'Workshop apron, indigo',
    price: 4800,
    picture: '/shop/apron.svg',
    alt: { en: 'An indigo apron on a wooden rail', ja: '木の棒に掛かった藍色のエプロン' },
    about: {
      en: 'Sewn by the Thursday class from one length of cotton. One pocket, wide enough for a sketchbook. It softens with every wash.',
      ja: '木曜クラスが一枚の綿布から縫っています。スケッチブックが入る大きなポケットがひとつ。洗うほどやわらかくなります。',
    },
  },
  {
    name: '青磁の飯碗（中）',
    price: 3200,
    picture: '/shop/bowls.svg',
    alt: { en: 'Two celadon rice bowls, one in the other', ja: '重ねた二つの青磁の飯碗' },
    about: {
      en: 'A rice bowl in celadon, the middle size, thrown and fired by the pottery circle. No two are quite the same green.',
      ja: '陶芸サークルがろくろを引き、焼きました。釉薬の色は一つずつ少し違います。',
    },
  },
  {
    name: 'Saturday loaf',
    price: 650,
    picture: '/shop/loaf.svg',
    alt: {
      en: 'A round loaf with a leaf cut into its crust, on a board',
      ja: '板にのせた、葉の模様の切れ目が入った丸いパン',
    },
    about: {
      en: 'Sourdough with a fifth of rye, baked on Saturday mornings in the shared oven. Keeps until Tuesday in a cloth.',
      ja: 'ライ麦を二割まぜた天然酵母のパン。土曜の朝、共同の窯で焼きます。布に包めば火曜日まで持ちます。',
    },
  },
  {
    name: '手ぬぐい「縁側の猫」',
    price: 1400,
    picture: '/shop/tenugui.svg',
    alt: { en: 'A hand towel on a rod, printed with sitting cats', ja: '竿に掛けた、座る猫の柄の手ぬぐい' },
    about: {
      en: 'A hand towel of bleached cotton, dyed by hand. The cat is the one that sits on the porch of the meeting room.',
      ja: 'さらし木綿を手で染めました。柄の猫は、集会所の縁側にいつもいるあの猫です。',
    },
  },
  {
    name: 'Bench for two, cedar',
    price: 12800,
    picture: '/shop/bench.svg',
    alt: { en: 'A plain cedar bench with a cushion at one end', ja: '片側に座布団をのせた杉のベンチ' },
    about: {
      en: 'Three boards and four joints, no screws. Made to order by the Sunday carpenters and carried to your door.',
      ja: '板三枚と四つの継ぎ手だけで、ねじは使いません。日曜大工の会が注文を受けてから作り、お宅まで運びます。',
    },
  },
  {
    name: '梅シロップ（500ml）',
    price: 1800,
    picture: '/shop/syrup.svg',
    alt: { en: 'A bottle of plum syrup beside two green plums', ja: '梅シロップのびんと、青梅が二つ' },
    about: {
      en: 'Plums from the garden behind the hall, sugar and a year of patience. One part syrup, four parts cold water.',
      ja: '集会所の裏庭の梅と砂糖だけで、一年寝かせました。冷たい水で五倍にうすめてどうぞ。',
    },
  },
]
