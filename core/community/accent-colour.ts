/**
 * The red, green and blue components of a colour in linear sRGB. Each is between 0 and 1 if sRGB can show the
 * colour.
 */
type LinearRgb = readonly [number, number, number]
/** A colour in OKLCH (CSS Color 4, 9.3): lightness 0 to 1, chroma 0 to about 0.37, hue in radians. */
interface Oklch {
  lightness: number
  chroma: number
  hue: number
}

/**
 * The accent colours of one theme, as `#rrggbb`. The names are those of the custom properties of the pages.
 */
export interface AccentPalette {
  accent: string
  'accent-strong': string
  'accent-tint': string
  'accent-wash': string
  'on-accent': string
  'bubble-own': string
  'on-toast-accent': string
}
export interface Palettes {
  light: AccentPalette
  dark: AccentPalette
}

/** The minimum contrast ratio of text (WCAG 2.2, 1.4.3, level AA). */
export const MIN_TEXT_CONTRAST = 4.5

/**
 * The backgrounds of web/ui/tokens.css on which text in the accent colour can stand, except the tints that
 * this file creates.
 */
export const textBackgrounds = {
  light: ['#e7ebe3', '#fcfdfa', '#f3f6ef', '#eff2eb', '#ffffff', '#eaeee7'],
  dark: ['#101512', '#1c221e', '#222924', '#151a17', '#262e29', '#2c342f'],
} as const

/**
 * The lightness and the highest chroma (in OKLCH) of the tints of the accent colour, for each theme. They
 * are those of the tints of the standard green.
 */
const tints = {
  light: { tint: [0.915, 0.025], wash: [0.955, 0.015], bubble: [0.91, 0.032], toast: [0.83, 0.07] },
  dark: { tint: [0.325, 0.04], wash: [0.27, 0.025], bubble: [0.36, 0.05], toast: [0.85, 0.08] },
} as const

/**
 * The difference in OKLCH lightness between two tries, when a colour is made lighter or darker until its
 * contrast is high enough.
 */
const LIGHTNESS_STEP = 0.005
/** The difference in OKLCH lightness between the accent colour and its variant under the pointer. */
const HOVER_STEP = 0.07

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
const fromLinear = (value: number) =>
  value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055

const parseHex = (hex: string) =>
  [1, 3, 5].map((at) => toLinear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as LinearRgb
const toHex = (rgb: LinearRgb) =>
  `#${rgb
    .map((value) => Math.round(fromLinear(Math.min(1, Math.max(0, value))) * 255))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

/** Converts linear sRGB to OKLCH by the matrices of https://bottosson.github.io/posts/oklab/. */
function toOklch([r, g, b]: LinearRgb): Oklch {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s
  return { lightness, chroma: Math.hypot(a, bb), hue: Math.atan2(bb, a) }
}
function fromOklch({ lightness, chroma, hue }: Oklch): LinearRgb {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
}

/**
 * Converts a colour from OKLCH to `#rrggbb`. Lowers the chroma of a colour that sRGB cannot show, so that its
 * hue stays.
 */
function toShownHex(colour: Oklch) {
  let { chroma } = colour
  const isShown = () => fromOklch({ ...colour, chroma }).every((value) => value > -0.0005 && value < 1.0005)
  while (chroma > 0 && !isShown()) chroma = Math.max(0, chroma - 0.004)
  return toHex(fromOklch({ ...colour, chroma }))
}

function readLuminance(hex: string) {
  const [r, g, b] = parseHex(hex)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Returns the contrast ratio of two colours (WCAG 2.2), 1 to 21. */
export function computeContrast(one: string, other: string) {
  const [dark, light] = [readLuminance(one), readLuminance(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}
const computeLowestContrast = (colour: string, others: readonly string[]) =>
  Math.min(...others.map((other) => computeContrast(colour, other)))

/**
 * Changes the lightness of a colour step by step, until the contrast to all `others` is high enough or the
 * colour is black or white.
 */
function adjustLightness(colour: Oklch, direction: 1 | -1, others: readonly string[]): Oklch {
  let { lightness } = colour
  const isEnd = () => (direction === 1 ? lightness >= 1 : lightness <= 0)
  while (!isEnd() && computeLowestContrast(toShownHex({ ...colour, lightness }), others) < MIN_TEXT_CONTRAST)
    lightness = Math.min(1, Math.max(0, lightness + direction * LIGHTNESS_STEP))
  return { ...colour, lightness }
}

function createPalette(given: Oklch, theme: 'light' | 'dark'): AccentPalette {
  const isLight = theme === 'light'
  const createTint = ([lightness, chroma]: readonly [number, number]) =>
    toShownHex({ lightness, chroma: Math.min(chroma, given.chroma), hue: given.hue })
  const { tint, wash, bubble, toast } = tints[theme]
  const [accentTint, accentWash, bubbleOwn] = [createTint(tint), createTint(wash), createTint(bubble)]
  const onAccent = isLight ? '#ffffff' : createTint([0.235, 0.02])
  const others = [...textBackgrounds[theme], accentTint, accentWash, bubbleOwn, onAccent]
  const accent = adjustLightness(given, isLight ? -1 : 1, others)
  // Computes `accent-strong`, the accent under the pointer. Its contrast is higher than that of the accent,
  // unless the accent is so near to black (in the dark theme: to white) that this is impossible. Then its
  // contrast is lower, and its lightness differs by three steps, because very dark or very light colours look
  // alike.
  const { lightness } = accent
  const away = isLight ? -1 : 1
  const hasRoom = isLight ? lightness >= 2 * HOVER_STEP : lightness <= 1 - HOVER_STEP
  const hover = { ...accent, lightness: lightness + away * (hasRoom ? 1 : -3) * HOVER_STEP }
  return {
    accent: toShownHex(accent),
    'accent-strong': toShownHex(adjustLightness(hover, away, others)),
    'accent-tint': accentTint,
    'accent-wash': accentWash,
    'on-accent': onAccent,
    'bubble-own': bubbleOwn,
    'on-toast-accent': createTint(toast),
  }
}

/**
 * Creates the accent colours of both themes from any colour (`#rrggbb`). It keeps the hue, and changes the
 * lightness as little as the contrast needs: text on the accent, and the accent as text, have a contrast of
 * at least MIN_TEXT_CONTRAST.
 */
export function accentPalettes(hex: string): Palettes {
  const given = toOklch(parseHex(hex))
  return { light: createPalette(given, 'light'), dark: createPalette(given, 'dark') }
}

/**
 * Returns the lowest contrast ratio of the accent colour: of the accent as text on each background, and of
 * text on the accent.
 */
export function lowestContrast(palette: AccentPalette, theme: 'light' | 'dark') {
  const { 'accent-tint': tint, 'accent-wash': wash, 'bubble-own': bubble, 'on-accent': text } = palette
  return computeLowestContrast(palette.accent, [...textBackgrounds[theme], tint, wash, bubble, text])
}

export function accentStyleSheet(hex: string) {
  const { light, dark } = accentPalettes(hex)
  const names = Object.keys(light) as (keyof AccentPalette)[]
  return `:root{${names.map((name) => `--${name}:light-dark(${light[name]},${dark[name]})`).join(';')}}`
}
