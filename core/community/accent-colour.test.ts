import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accentPalettes,
  accentStyleSheet,
  computeContrast,
  lowestContrast,
  MIN_TEXT_CONTRAST,
  textBackgrounds,
} from './accent-colour.ts'

const colours = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const extremes = ['#000000', '#ffffff', '#ff0000', '#00ff00', '#0000ff', '#ffff00', '#808080'].map(
  (colour) => [colour] as [string],
)
const tokens = readFileSync(join(import.meta.dirname, '../../web/ui/tokens.css'), 'utf8')
/**
 * Reads the colours of a custom property from tokens.css: that of the light theme, and that of the dark
 * theme.
 */
const readToken = (name: string) =>
  new RegExp(`--${name}:\\s*light-dark\\(\\s*(#\\w{6}),\\s*(#\\w{6})`).exec(tokens)!.slice(1) as [
    string,
    string,
  ]

describe('the palettes of an accent colour', () => {
  test('have a contrast of 4.5 for every colour: as text, below text, and for text on their tints', () => {
    fc.assert(
      fc.property(colours, (colour) => {
        const palettes = accentPalettes(colour)
        for (const [at, theme] of (['light', 'dark'] as const).entries()) {
          const palette = palettes[theme]
          expect(lowestContrast(palette, theme)).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
          const tints = [palette['accent-tint'], palette['accent-wash'], palette['bubble-own']]
          for (const background of [...textBackgrounds[theme], ...tints, palette['on-accent']])
            expect(computeContrast(palette['accent-strong'], background)).toBeGreaterThanOrEqual(
              MIN_TEXT_CONTRAST,
            )
          for (const text of ['text', 'text-soft', 'text-faint'])
            for (const tint of tints) {
              const standard = Math.min(
                ...['accent-tint', 'accent-wash', 'bubble-own'].map((name) =>
                  computeContrast(readToken(text)[at]!, readToken(name)[at]!),
                ),
              )
              const needed = Math.min(MIN_TEXT_CONTRAST, standard)
              expect(computeContrast(readToken(text)[at]!, tint)).toBeGreaterThanOrEqual(needed)
            }
          const toast = readToken('toast')[at]!
          expect(computeContrast(palette['on-toast-accent'], toast)).toBeGreaterThanOrEqual(MIN_TEXT_CONTRAST)
          expect(palette['accent-strong']).not.toBe(palette.accent)
          for (const value of Object.values(palette)) expect(value).toMatch(/^#[0-9a-f]{6}$/)
        }
      }),
      { numRuns: 300, seed: 7, examples: extremes },
    )
  })

  test('keep a colour that has enough contrast already', () => {
    expect(accentPalettes('#28634f').light.accent).toBe('#28634f')
    expect(accentPalettes('#a2cfaa').dark.accent).toBe('#a2cfaa')
  })

  test('use the backgrounds of tokens.css', () => {
    const names = ['background', 'card', 'card-hover', 'card-inset', 'card-raised', 'bubble-other']
    const backgrounds = names.map(readToken)
    expect(backgrounds.map(([light]) => light)).toEqual(textBackgrounds.light)
    expect(backgrounds.map(([, dark]) => dark)).toEqual(textBackgrounds.dark)
  })

  test('replace the custom properties of tokens.css', () => {
    const css = accentStyleSheet('#336699')
    for (const [, name] of css.matchAll(/--([\w-]+):/g)) expect(tokens).toContain(`--${name}: light-dark(`)
  })
})
