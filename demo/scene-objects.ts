import type { SeededRandom } from './random.ts'
import {
  applySvgClipPath,
  createEllipseSvg,
  createFilledPathSvg,
  createRectSvg,
  createRepeatedSvg,
  createStrokedPathSvg,
  type NestedSvgMarkup,
  place,
  type SvgPoint,
} from './svg.ts'

/** Returns the SVG markup of boards side by side, with the lines between them. */
export const createPlanksSvg = (
  r: SeededRandom,
  x: number,
  y: number,
  w: number,
  h: number,
  count: number,
  tones: readonly string[],
  upright = false,
): NestedSvgMarkup =>
  createRepeatedSvg(count, (i) => {
    const step = (upright ? w : h) / count
    return upright
      ? [
          createRectSvg(x + i * step, y, step + 1, h, r.pick(tones)),
          createRectSvg(x + i * step, y, 3, h, '#3b2413', 0.28),
        ]
      : [
          createRectSvg(x, y + i * step, w, step + 1, r.pick(tones)),
          createRectSvg(x, y + i * step, w, 3, '#3b2413', 0.28),
        ]
  })

/** Returns the SVG markup of a floor of boards that run away from the viewer. */
export const plankFloor = (
  r: SeededRandom,
  width: number,
  top: number,
  bottom: number,
  vanish: SvgPoint,
  count: number,
  tones: readonly string[],
): NestedSvgMarkup => {
  const upper = (x: number) => vanish[0] + ((x - vanish[0]) * (top - vanish[1])) / (bottom - vanish[1])
  const reach = width * 1.2
  return createRepeatedSvg(count, (i) => {
    const [a, b] = [i, i + 1.02].map((n) => width / 2 - reach + (n / count) * 2 * reach) as [number, number]
    return [
      createFilledPathSvg(
        `M${a} ${bottom}L${upper(a)} ${top}L${upper(b)} ${top}L${b} ${bottom}Z`,
        r.pick(tones),
      ),
      createStrokedPathSvg(`M${a} ${bottom}L${upper(a)} ${top}`, '#3b2413', 2.5, 0.3),
    ]
  })
}

/** Returns the SVG markup of a person seen from behind, `tall` pixels high, with the feet at (x, ground). */
export const personFromBehind = (
  x: number,
  ground: number,
  tall: number,
  coat: string,
  hair: string,
  legs = '#3a3f4c',
  skin = '#dba983',
): NestedSvgMarkup =>
  place(
    x,
    ground,
    [
      createEllipseSvg(0, -1, 30, 6, '#1d1a18', 0.22),
      createRectSvg(-17, -52, 15, 52, legs, 1, 6),
      createRectSvg(2, -52, 15, 52, legs, 1, 6),
      createRectSvg(-7, -142, 14, 20, skin),
      createFilledPathSvg('M-27 -44Q-33 -128 -12 -132H12Q33 -128 27 -44Q0 -38 -27 -44Z', coat),
      createStrokedPathSvg('M-25 -116Q-36 -90 -30 -62M25 -116Q36 -90 30 -62', coat, 13),
      createEllipseSvg(0, -158, 19, 22, skin),
      createFilledPathSvg('M-20 -150Q-24 -184 0 -184T20 -150Q12 -140 0 -141T-20 -150Z', hair),
    ],
    tall / 184,
  )

/** Returns the SVG markup of three lines of steam. */
export const createSteamSvg = (x: number, y: number, tall: number, opacity = 0.5): NestedSvgMarkup =>
  [-0.16, 0.02, 0.18].map((off, i) =>
    createStrokedPathSvg(
      `M${x + off * tall} ${y}q${tall * 0.14} ${-tall * 0.22} 0 ${-tall * 0.42}t${tall * 0.02} ${-tall * (i === 1 ? 0.5 : 0.34)}`,
      '#fff8ea',
      tall * 0.045,
      opacity,
    ),
  )

export const createBowlSvg = (
  x: number,
  base: number,
  w: number,
  h: number,
  clay: string,
  glaze: string,
  inside: string,
): NestedSvgMarkup => {
  const [half, foot, top] = [w / 2, w * 0.2, base - h]
  const body = `M${x - half} ${top}C${x - half * 0.96} ${base - h * 0.35} ${x - half * 0.6} ${base - h * 0.1} ${x - foot} ${base - h * 0.07}L${x - foot} ${base}H${x + foot}L${x + foot} ${base - h * 0.07}C${x + half * 0.6} ${base - h * 0.1} ${x + half * 0.96} ${base - h * 0.35} ${x + half} ${top}Z`
  const drip = `M${x - half} ${top - 9}V${base - h * 0.42}Q${x - half * 0.7} ${base - h * 0.2} ${x - half * 0.4} ${base - h * 0.38}T${x + half * 0.12} ${base - h * 0.34}T${x + half * 0.6} ${base - h * 0.42}T${x + half} ${base - h * 0.46}V${top - 9}Z`
  return [
    createFilledPathSvg(body, clay),
    applySvgClipPath(`b${x}-${base}`, body, [
      createFilledPathSvg(drip, glaze),
      createRectSvg(x + half * 0.38, top, half, h, '#1b1410', 0.14),
      createStrokedPathSvg(
        `M${x - half * 0.78} ${top + h * 0.2}Q${x - half * 0.7} ${base - h * 0.4} ${x - half * 0.5} ${base - h * 0.28}`,
        '#fffaf0',
        w * 0.03,
        0.45,
      ),
    ]),
    createEllipseSvg(x, top, half, h * 0.13, glaze),
    createEllipseSvg(x, top + h * 0.015, half * 0.92, h * 0.1, inside),
  ]
}

export const createMugSvg = (x: number, base: number, size: number, colour: string): NestedSvgMarkup => [
  createEllipseSvg(x + size * 0.1, base, size * 0.62, size * 0.12, '#3b2413', 0.28),
  createStrokedPathSvg(
    `M${x + size * 0.44} ${base - size * 0.8}q${size * 0.4} ${size * 0.06} ${size * 0.3} ${size * 0.34}t${-size * 0.32} ${size * 0.2}`,
    colour,
    size * 0.13,
  ),
  createFilledPathSvg(
    `M${x - size * 0.48} ${base - size}H${x + size * 0.48}L${x + size * 0.42} ${base - size * 0.06}Q${x} ${base + size * 0.06} ${x - size * 0.42} ${base - size * 0.06}Z`,
    colour,
  ),
  createEllipseSvg(x, base - size, size * 0.48, size * 0.12, '#f2ead8'),
  createEllipseSvg(x, base - size * 0.98, size * 0.41, size * 0.09, '#6b4326'),
]

export const createHouseSvg = (
  x: number,
  ground: number,
  w: number,
  roof: string,
  wall = '#efe5d0',
  lit = false,
): NestedSvgMarkup => [
  createRectSvg(x + w * 0.1, ground - w * 0.34, w * 0.8, w * 0.34, wall),
  createRectSvg(x + w * 0.1, ground - w * 0.34, w * 0.8, w * 0.06, '#2b2622', 0.25),
  createRectSvg(x + w * 0.18, ground - w * 0.22, w * 0.26, w * 0.22, lit ? '#ffd889' : '#7a5b40'),
  createRectSvg(x + w * 0.58, ground - w * 0.22, w * 0.2, w * 0.13, lit ? '#ffd889' : '#6f7f82'),
  createFilledPathSvg(
    `M${x - w * 0.04} ${ground - w * 0.3}Q${x + w * 0.16} ${ground - w * 0.42} ${x + w * 0.24} ${ground - w * 0.62}H${x + w * 0.76}Q${x + w * 0.84} ${ground - w * 0.42} ${x + w * 1.04} ${ground - w * 0.3}Z`,
    roof,
  ),
  createRectSvg(x + w * 0.22, ground - w * 0.645, w * 0.56, w * 0.05, '#2b2622', 0.55, w * 0.02),
]

/** Returns the SVG markup of lines that look like handwriting from a distance. */
export const handwriting = (
  x: number,
  y: number,
  w: number,
  count: number,
  gap: number,
  colour: string,
  wide = 6,
): NestedSvgMarkup =>
  createRepeatedSvg(count, (i) =>
    createStrokedPathSvg(`M${x} ${y + i * gap}h${w * [1, 0.86, 0.94, 0.6, 0.78][i % 5]!}`, colour, wide),
  )

export const createWoolBallSvg = (
  r: SeededRandom,
  x: number,
  y: number,
  size: number,
  colour: string,
): NestedSvgMarkup =>
  applySvgClipPath(
    `y${x}`,
    `M${x - size} ${y}a${size} ${size} 0 1 0 ${size * 2} 0a${size} ${size} 0 1 0 ${-size * 2} 0Z`,
    [
      createEllipseSvg(x, y, size, size, colour),
      place(
        x,
        y,
        createRepeatedSvg(11, (i) => {
          const off = (i - 5) * size * 0.2
          return [
            createStrokedPathSvg(
              `M${-size * 1.1} ${off}Q0 ${off + size * 0.44} ${size * 1.1} ${off}`,
              '#2b1a12',
              3,
              0.2,
            ),
            createStrokedPathSvg(
              `M${-size * 1.1} ${off - 6}Q0 ${off + size * 0.44 - 6} ${size * 1.1} ${off - 6}`,
              '#fffaf0',
              3,
              0.25,
            ),
          ]
        }),
        1,
        r(-70, 70),
      ),
      createEllipseSvg(x + size * 0.5, y + size * 0.6, size, size * 0.8, '#2b1a12', 0.14),
    ],
  )
