import { createRandom } from './random.ts'

const styles = [
  'bob',
  'crop',
  'bun',
  'curls',
  'long',
  'bald',
  'braids',
  'wave',
  'round',
  'tail',
  'scarf',
  'hat',
] as const
const clothes = ['crew', 'collar', 'kimono', 'roll', 'apron', 'stripes', 'hood'] as const
const extras = [
  'laughs',
  'glasses',
  'beard',
  'moustache',
  'freckles',
  'earrings',
  'pencil',
  'flower',
  'wrinkles',
] as const
const skins = ['#f4d3b3', '#f0c8a4', '#e3b087', '#c98e63', '#a06a45', '#7a4c32']
const hairs = ['#241d1b', '#33261f', '#4d3425', '#7a4f2f', '#a8713c', '#cfa25a', '#8f8d88', '#d9d5cc']
const cloths = [
  '#bf6a50',
  '#35597c',
  '#5b6d35',
  '#7a5a85',
  '#d6a541',
  '#2f6a6c',
  '#8c4a46',
  '#4f7a63',
  '#e9e2d0',
]
const grounds = [
  '#bcd0c2',
  '#e2c9a0',
  '#c5c7dc',
  '#a9c2cb',
  '#ecc9bd',
  '#cfd3b4',
  '#d6c2cf',
  '#b9cdb2',
  '#e6d6a8',
  '#c4b8a6',
]

export type PortraitHairStyle = (typeof styles)[number]
export type PortraitClothingStyle = (typeof clothes)[number]
type Extra = (typeof extras)[number]

/**
 * Returns the look of a person in a portrait. `has` are extras such as glasses. If the hair style is a scarf,
 * `hair` is the colour of the scarf.
 */
const randomAppearance = (
  style: PortraitHairStyle,
  hair: string,
  skin: string,
  wear: PortraitClothingStyle,
  cloth: string,
  ground: string,
  ...has: Extra[]
) => ({
  style,
  hair,
  skin,
  wear,
  cloth,
  ground,
  has: new Set(has),
})
export type DemoPortraitAppearance = ReturnType<typeof randomAppearance>

const known: Record<string, DemoPortraitAppearance> = {
  aya: randomAppearance('bob', '#241d1b', '#f0c8a4', 'crew', '#bf6a50', '#bcd0c2', 'earrings'),
  ben: randomAppearance('crop', '#1f1916', '#7a4c32', 'apron', '#e9e2d0', '#e2c9a0', 'beard', 'laughs'),
  chiharu: randomAppearance('bun', '#33261f', '#f4d3b3', 'collar', '#e9e2d0', '#c5c7dc', 'glasses'),
  daniel: randomAppearance('curls', '#a8713c', '#f0c8a4', 'stripes', '#35597c', '#a9c2cb', 'freckles'),
  emi: randomAppearance('long', '#241d1b', '#f0c8a4', 'hood', '#7a5a85', '#ecc9bd', 'flower', 'laughs'),
  goro: randomAppearance(
    'bald',
    '#8f8d88',
    '#e3b087',
    'kimono',
    '#35597c',
    '#cfd3b4',
    'glasses',
    'wrinkles',
    'pencil',
  ),
  hana: randomAppearance('braids', '#cfa25a', '#f4d3b3', 'apron', '#4f7a63', '#b9cdb2', 'freckles', 'laughs'),
  ivo: randomAppearance('wave', '#4d3425', '#f0c8a4', 'roll', '#2f6a6c', '#d6c2cf', 'moustache', 'glasses'),
  akari: randomAppearance('tail', '#33261f', '#f4d3b3', 'collar', '#d6a541', '#a9c2cb'),
  layla: randomAppearance('scarf', '#2f6a6c', '#c98e63', 'crew', '#8c4a46', '#e6d6a8'),
  priya: randomAppearance('long', '#1f1916', '#a06a45', 'crew', '#d6a541', '#c4b8a6', 'earrings', 'laughs'),
  tomas: randomAppearance('crop', '#4d3425', '#c98e63', 'hood', '#5b6d35', '#c5c7dc', 'beard', 'glasses'),
  haruka: randomAppearance('round', '#4d3425', '#f4d3b3', 'roll', '#e9e2d0', '#cfd3b4', 'earrings', 'laughs'),
  nao: randomAppearance(
    'bun',
    '#d9d5cc',
    '#f0c8a4',
    'kimono',
    '#7a5a85',
    '#e2c9a0',
    'wrinkles',
    'glasses',
    'laughs',
  ),
  niamh: randomAppearance(
    'curls',
    '#b3542c',
    '#f6dcc4',
    'roll',
    '#4f7a63',
    '#e6d6a8',
    'freckles',
    'earrings',
  ),
  kippei: randomAppearance(
    'hat',
    '#8f8d88',
    '#e3b087',
    'collar',
    '#4f7a63',
    '#a9c2cb',
    'moustache',
    'wrinkles',
    'laughs',
  ),
  liesl: randomAppearance(
    'wave',
    '#8f8d88',
    '#f4d3b3',
    'stripes',
    '#bf6a50',
    '#b9cdb2',
    'glasses',
    'earrings',
  ),
}

export function appearanceOf(key: string): DemoPortraitAppearance {
  const r = createRandom(key)
  const style = r.pick(styles)
  const has = r.some(style === 'scarf' ? (['laughs', 'glasses'] as const) : extras, Math.floor(r(0, 3)))
  const hair = r.pick(style === 'scarf' ? cloths : hairs)
  return (
    known[key] ??
    randomAppearance(style, hair, r.pick(skins), r.pick(clothes), r.pick(cloths), r.pick(grounds), ...has)
  )
}
