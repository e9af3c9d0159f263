import { type CSSProperties, useId, useState } from 'react'
import {
  createLightAndDarkAccentPalettes,
  findLowestAccentContrast,
  type LightAndDarkAccentPalettes,
} from '#core/accent-colour.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { communityLookSettingsText } from './look-text.ts'
import { useCommunitySetting } from './useCommunitySetting.ts'

/** The standard accent colour: the colour whose palettes are nearest to the standard green of tokens.css. */
const STANDARD = '#28634f'

/** The accent colours that the page suggests. Null stands for the standard green. */
const suggestions = [
  { colour: null, name: 'green' },
  { colour: '#35577a', name: 'indigo' },
  { colour: '#2d6272', name: 'slate' },
  { colour: '#69578a', name: 'wisteria' },
  { colour: '#963f43', name: 'madder' },
  { colour: '#7a5136', name: 'chestnut' },
  { colour: '#566528', name: 'moss' },
] as const

/**
 * Renders the setting for the accent colour. A suggested colour is saved at once, another one with a button.
 */
export function AccentColourSetting({ saved }: { saved: string | null }) {
  const t = useText(communityLookSettingsText)
  const id = useId()
  const [chosen, choose, dialog] = useCommunitySetting('accent_colour', saved)
  const isSuggested = suggestions.some(({ colour }) => colour === chosen)
  const [isOwn, setOwn] = useState(!isSuggested)
  const [own, setOwnColour] = useState(chosen ?? STANDARD)
  const shown = isOwn ? own : chosen
  return (
    <fieldset className="card setting choices" aria-describedby={`${id}-help`}>
      <legend>{t.accentColour}</legend>
      <p className="text-soft" id={`${id}-help`}>
        {t.accentHelp}
      </p>
      <div className="accent-choices">
        {suggestions.map(({ colour, name }) => (
          <label className="check" key={name}>
            <input
              type="radio"
              name={id}
              checked={!isOwn && chosen === colour}
              onChange={() => {
                setOwn(false)
                choose(colour)
              }}
            />
            <span className="swatch" style={toSwatchStyle(colour)} />
            {t[name]}
          </label>
        ))}
        <label className="check">
          <input type="radio" name={id} checked={isOwn} onChange={() => setOwn(true)} />
          {t.ownColour}
        </label>
      </div>
      {isOwn && (
        <div className="accent-own">
          <div className="field">
            <label htmlFor={`${id}-own`}>{t.chooseColour}</label>
            <input
              className="input"
              id={`${id}-own`}
              type="color"
              value={own}
              onChange={(event) => setOwnColour(event.target.value)}
            />
          </div>
          <Button disabled={own === chosen} onClick={() => choose(own)}>
            {t.saveColour}
          </Button>
        </div>
      )}
      <AccentPreviews colour={shown} />
      {dialog}
    </fieldset>
  )
}

/**
 * Returns the CSS background of a colour sample: the accent colour of the light and the dark theme. Null is
 * the standard green.
 */
function toSwatchStyle(colour: string | null): CSSProperties {
  const { light, dark } = createLightAndDarkAccentPalettes(colour ?? STANDARD)
  return { background: `light-dark(${light.accent}, ${dark.accent})` }
}

/**
 * Shows a sample button and a sample link in the accent colour, in the light and the dark theme, and the
 * lowest contrast in each theme.
 */
function AccentPreviews({ colour }: { colour: string | null }) {
  const t = useText(communityLookSettingsText)
  const lang = useLang()
  const palettes = createLightAndDarkAccentPalettes(colour ?? STANDARD)
  return (
    <div className="accent-previews" role="status">
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} style={toPreviewStyle(palettes, theme)}>
          <span className="text-meta">{t[theme]}</span>
          <span className="preview-fill">{t.sampleButton}</span>
          <span className="preview-text">{t.sampleText}</span>
          <span className="text-meta">
            {t.contrast(
              findLowestAccentContrast(palettes[theme], theme).toLocaleString(lang, {
                maximumFractionDigits: 1,
                roundingMode: 'floor',
              }),
            )}
          </span>
        </div>
      ))}
    </div>
  )
}

function toPreviewStyle(palettes: LightAndDarkAccentPalettes, theme: 'light' | 'dark') {
  const { accent, 'on-accent': onAccent } = palettes[theme]
  return { colorScheme: theme, '--accent': accent, '--on-accent': onAccent } as CSSProperties
}
