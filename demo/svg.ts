import type { SeededRandom } from './random.ts'

/** SVG markup as a text or as nested lists of texts. Lengths in it are pixels of the drawing. */
export type NestedSvgMarkup = string | readonly NestedSvgMarkup[]
export type SvgPoint = readonly [x: number, y: number]
/** Three shades of a colour: dark, middle, light. */
export type DarkMiddleLightShades = readonly [string, string, string]

const join = (svg: NestedSvgMarkup): string => (typeof svg === 'string' ? svg : svg.map(join).join(''))

export const createSvgDocument = (width: number, height: number, svg: NestedSvgMarkup) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${join(svg)}</svg>`

// The functions below return SVG shapes. They set `fill-opacity` and `stroke-opacity` instead of `opacity`,
// which is slow because it needs a layer.
export const createRectSvg = (
  x: number,
  y: number,
  w: number,
  h: number,
  fill: string,
  opacity = 1,
  round = 0,
) =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${round}" fill="${fill}" fill-opacity="${opacity}"/>`
export const createEllipseSvg = (x: number, y: number, rx: number, ry: number, fill: string, opacity = 1) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" fill-opacity="${opacity}"/>`
export const createEllipseOutlineSvg = (
  x: number,
  y: number,
  rx: number,
  ry: number,
  stroke: string,
  width: number,
  opacity = 1,
) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-opacity="${opacity}"/>`
export const createFilledPathSvg = (d: string, fill: string, opacity = 1) =>
  `<path d="${d}" fill="${fill}" fill-opacity="${opacity}"/>`
export const createStrokedPathSvg = (d: string, stroke: string, width: number, opacity = 1) =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round" stroke-linejoin="round"/>`
export const applySvgTransform = (transform: string, svg: NestedSvgMarkup, opacity = 1): NestedSvgMarkup => [
  `<g transform="${transform}" opacity="${opacity}">`,
  svg,
  '</g>',
]
export const place = (x: number, y: number, svg: NestedSvgMarkup, scale = 1, turn = 0): NestedSvgMarkup =>
  applySvgTransform(`translate(${x} ${y}) rotate(${turn}) scale(${scale})`, svg)
export const applySvgClipPath = (id: string, d: string, svg: NestedSvgMarkup): NestedSvgMarkup => [
  `<clipPath id="${id}"><path d="${d}"/></clipPath><g clip-path="url(#${id})">`,
  svg,
  '</g>',
]
/**
 * Calls `make` once for each group of numbers in a text such as `'12 34 5, 67 89 5'`, and returns the SVG
 * markup of all calls. The arguments of `make` are the numbers of the group and the index of the group.
 */
export const mapNumbers = (list: string, make: (...numbers: number[]) => NestedSvgMarkup): NestedSvgMarkup =>
  list.split(',').map((numbers, index) => make(...numbers.trim().split(' ').map(Number), index))
export const createRepeatedSvg = (count: number, make: (index: number) => NestedSvgMarkup): NestedSvgMarkup =>
  Array.from({ length: count }, (_, index) => make(index))

/**
 * Returns the SVG definition of a gradient from top to bottom. Shapes use the gradient with the fill
 * `url(#id)`.
 */
export const verticalGradient = (id: string, ...colours: readonly string[]) =>
  `<linearGradient id="${id}" x2="0" y2="1">${colours
    .map((colour, i) => `<stop offset="${i / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join('')}</linearGradient>`
export const createSkySvg = (width: number, height: number, colours: readonly string[]): NestedSvgMarkup => [
  verticalGradient('sky', ...colours),
  createRectSvg(0, 0, width, height, 'url(#sky)'),
]
/** Returns the SVG markup of a round glow like lamplight: `colour` in the middle, transparent at `radius`. */
export const createGlowSvg = (x: number, y: number, radius: number, colour: string, strength = 0.6) => {
  const id = `g${Math.round(x)}-${Math.round(y)}-${Math.round(radius)}`
  const stop = (offset: number, opacity: number) =>
    `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`
  return `<radialGradient id="${id}">${stop(0, strength)}${stop(0.4, strength * 0.42)}${stop(1, 0)}</radialGradient>${createEllipseSvg(x, y, radius, radius, `url(#${id})`)}`
}
export const applySvgBlurFilter = (svg: NestedSvgMarkup, by = 12): NestedSvgMarkup => [
  `<filter id="soft${by}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${by}"/></filter><g filter="url(#soft${by})">`,
  svg,
  '</g>',
]

/** Returns the path data (the attribute `d` of an SVG path) of a smooth line through all points. */
export function toSmoothSvgPath(points: readonly SvgPoint[]) {
  const at = (i: number) => points[Math.max(0, Math.min(points.length - 1, i))]!
  const bends = points.slice(1).map(([x, y], i) => {
    const [before, from, after] = [at(i - 1), at(i), at(i + 2)]
    return `C${from[0] + (x - before[0]) / 6} ${from[1] + (y - before[1]) / 6} ${x - (after[0] - from[0]) / 6} ${y - (after[1] - from[1]) / 6} ${x} ${y}`
  })
  return `M${at(0)[0]} ${at(0)[1]}${bends.join('')}`
}

/** Returns the SVG markup of hills over the whole width of the picture, filled down to `bottom`. */
export const createHillsSvg = (
  r: SeededRandom,
  width: number,
  y: number,
  rise: number,
  bottom: number,
  fill: string,
  bumps = 5,
) => {
  const points = Array.from(
    { length: bumps + 3 },
    (_, i): SvgPoint => [((i - 1) * width) / bumps, y + r(-rise, rise)],
  )
  return createFilledPathSvg(`${toSmoothSvgPath(points)}V${bottom}H${-width / bumps}Z`, fill)
}

/** Returns the SVG markup of a mountain with a dark side and a white top. */
export const createMountainSvg = (
  r: SeededRandom,
  x: number,
  top: number,
  foot: number,
  half: number,
  [dark, light, snow]: DarkMiddleLightShades,
): NestedSvgMarkup => {
  const h = foot - top
  const edge = (side: number, down: number) =>
    `${x + side * half * (0.05 + 0.95 * down ** 1.25)} ${top + h * down}`
  const flank = (side: number) => [0.12, 0.3, 0.5, 0.75, 1].map((down) => `L${edge(side, down)}`).join('')
  const snowline = [-0.72, -0.45, -0.2, 0.1, 0.38, 0.66].map((part) => {
    const down = 0.26 + r(-0.035, 0.035) + (part > 0.5 || part < -0.6 ? -0.05 : 0.03)
    return `L${x + part * half * (0.05 + 0.95 * 0.25 ** 1.25)} ${top + h * down}`
  })
  const white = `M${x - half * 0.05} ${top}L${edge(-1, 0.12)}L${edge(-1, 0.2)}${snowline.join('')}L${edge(1, 0.2)}L${edge(1, 0.12)}L${x + half * 0.05} ${top}Z`
  const shade = `M${x + half * 0.05} ${top}${flank(1)}H${x + half * 0.2}L${x + half * 0.1} ${top + h * 0.62}L${x + half * 0.2} ${top + h * 0.4}L${x + half * 0.02} ${top + h * 0.2}Z`
  return [
    createFilledPathSvg(
      `M${x - half * 0.05} ${top}${flank(-1)}H${x + half}L${edge(1, 1)}${[0.75, 0.5, 0.3, 0.12].map((d) => `L${edge(1, d)}`).join('')}L${x + half * 0.05} ${top}Z`,
      light,
    ),
    createFilledPathSvg(shade, dark),
    createFilledPathSvg(white, snow),
    applySvgClipPath(`m${x}`, white, createFilledPathSvg(shade, dark, 0.22)),
  ]
}

export const createCloudSvg = (
  x: number,
  y: number,
  w: number,
  fill: string,
  opacity = 0.85,
): NestedSvgMarkup => [
  `<g opacity="${opacity}">`,
  createRectSvg(x, y, w, w * 0.13, fill, 1, w * 0.065),
  createRectSvg(x + w * 0.18, y - w * 0.09, w * 0.5, w * 0.15, fill, 1, w * 0.075),
  createRectSvg(x - w * 0.14, y + w * 0.09, w * 0.6, w * 0.09, fill, 1, w * 0.045),
  '</g>',
]

/** Returns the SVG markup of many leaves as one shape: dark below, light at the upper left in the sun. */
export const createFoliageSvg = (
  r: SeededRandom,
  x: number,
  y: number,
  rx: number,
  ry: number,
  tones: DarkMiddleLightShades,
  puffs = 11,
): NestedSvgMarkup =>
  tones.map((tone, layer) => {
    const part = [1, 0.86, 0.56][layer]!
    const [cx, cy] = [x - layer * rx * 0.09, y - layer * ry * 0.13]
    return [
      createEllipseSvg(cx, cy, rx * 0.74 * part, ry * 0.74 * part, tone),
      createRepeatedSvg(puffs, (i) => {
        const turn = (i / puffs) * 2 * Math.PI + r(-0.2, 0.2)
        const size = r(0.24, 0.38) * part
        return createEllipseSvg(
          cx + Math.cos(turn) * rx * 0.7 * part,
          cy + Math.sin(turn) * ry * 0.68 * part,
          rx * size,
          ry * size,
          tone,
        )
      }),
    ]
  })

export const createTrunkSvg = (
  x: number,
  ground: number,
  height: number,
  wide: number,
  colour: string,
  lean = 0,
): NestedSvgMarkup =>
  createFilledPathSvg(
    `M${x - wide * 0.75} ${ground}C${x - wide * 0.35} ${ground - height * 0.3} ${x - wide * 0.3 + lean * 0.3} ${ground - height * 0.6} ${x - wide * 0.22 + lean} ${ground - height}H${x + wide * 0.22 + lean}C${x + wide * 0.4 + lean * 0.3} ${ground - height * 0.6} ${x + wide * 0.4} ${ground - height * 0.3} ${x + wide * 0.85} ${ground}Z`,
    colour,
  )

export const createTreeSvg = (
  r: SeededRandom,
  x: number,
  ground: number,
  size: number,
  tones: DarkMiddleLightShades,
  bark = '#6a4a34',
): NestedSvgMarkup => [
  createTrunkSvg(x, ground, size * 0.62, size * 0.09, bark, r(-0.05, 0.05) * size),
  createFoliageSvg(r, x, ground - size * 0.68, size * 0.36, size * 0.34, tones),
]

/** Returns the SVG markup of a conifer of three triangles, one above the other. */
export const createConiferSvg = (
  x: number,
  ground: number,
  size: number,
  [dark, middle]: DarkMiddleLightShades,
): NestedSvgMarkup => [
  createRectSvg(x - size * 0.03, ground - size * 0.14, size * 0.06, size * 0.14, '#4d3a2c'),
  [0.1, 0.34, 0.58].map((up, i) => {
    const [half, top, low] = [size * (0.27 - i * 0.06), ground - size * (up + 0.42), ground - size * up]
    const d = `M${x} ${top}L${x + half} ${low}Q${x} ${low + size * 0.06} ${x - half} ${low}Z`
    return [
      createFilledPathSvg(d, dark),
      applySvgClipPath(`c${x}-${ground}-${i}`, d, createRectSvg(x - half, top, half * 0.92, size, middle)),
    ]
  }),
]

export const createGrassBladesSvg = (
  r: SeededRandom,
  count: number,
  x: number,
  y: number,
  w: number,
  h: number,
  long: number,
  colours: readonly string[],
): NestedSvgMarkup =>
  createRepeatedSvg(count, () => {
    const [bx, by, tall] = [x + r() * w, y + r() * h, long * r(0.6, 1.2)]
    const [lean, wide] = [r(-0.42, 0.42) * tall, tall * 0.045 + 1]
    const [kx, ky] = [bx + lean * 0.3, by - tall * 0.55]
    return createFilledPathSvg(
      `M${bx - wide} ${by}Q${kx - wide} ${ky} ${bx + lean} ${by - tall}Q${kx + wide} ${ky} ${bx + wide} ${by}Z`,
      r.pick(colours),
    )
  })

export type DemoSceneSeason = 'autumn' | 'summer' | 'winter' | 'spring'
export type DemoSceneLight = 'day' | 'gold' | 'mist'

/**
 * Returns the season, the light and their colours for the drawing of a scene. `seed % 4` chooses the season
 * (0 is autumn), and the quotient of `seed` by 4, rounded down, the light.
 */
export function pickLight(seed: number) {
  const season = (['autumn', 'summer', 'winter', 'spring'] as const)[seed % 4]!
  const hour = (['day', 'gold', 'mist'] as const)[Math.floor(seed / 4) % 3]!
  return { season, hour, leaf: leaves[season], grass: grasses[season], ...skies[hour] }
}
export type DemoSceneSeasonLightAndColours = ReturnType<typeof pickLight>

export const evergreenShades: DarkMiddleLightShades = ['#26483e', '#3a6553', '#5f8d70']
export const woodColours = ['#c99a63', '#c08f59', '#cda26d', '#b98650'] as const
const leaves: Record<DemoSceneSeason, DarkMiddleLightShades> = {
  autumn: ['#9a4426', '#cc662f', '#e9a14c'],
  summer: ['#2f5d49', '#4a845f', '#86b074'],
  winter: ['#6f8480', '#a9b9b8', '#eef3f3'],
  spring: ['#5c8250', '#8bb069', '#c2d58f'],
}
const grasses: Record<DemoSceneSeason, DarkMiddleLightShades> = {
  autumn: ['#8f8a4c', '#aba75f', '#c6bf7c'],
  summer: ['#6f9759', '#8cb06f', '#abc98a'],
  winter: ['#cfd9de', '#e2e9ec', '#f3f6f6'],
  spring: ['#7f9f57', '#a1bd72', '#c3d592'],
}
const skies: Record<
  DemoSceneLight,
  { sky: DarkMiddleLightShades; far: DarkMiddleLightShades; cloud: string; sun: string }
> = {
  day: {
    sky: ['#84b3cb', '#b9d6da', '#f0ead6'],
    far: ['#7c9ea6', '#9bb8b8', '#bdd0c8'],
    cloud: '#fffaf0',
    sun: '#fff3d0',
  },
  gold: {
    sky: ['#7d97b4', '#e6bb96', '#f9dfae'],
    far: ['#7f7c98', '#a58d98', '#cfab9b'],
    cloud: '#fde8cf',
    sun: '#fff0c4',
  },
  mist: {
    sky: ['#aec4cc', '#d3dcd7', '#f4ecd9'],
    far: ['#98adb0', '#b6c6c3', '#d2dbd3'],
    cloud: '#ffffff',
    sun: '#fffbe8',
  },
}

export interface DemoSceneDefinition {
  width: number
  height: number
  alt: { en: string; ja: string }
  draw: (r: SeededRandom, weather: DemoSceneSeasonLightAndColours) => NestedSvgMarkup
}
