import { type CSSProperties, useId, useState } from 'react'
import { accentPalettes, lowestContrast, type Palettes } from '#core/community/accent-colour.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { lookText } from './settings-text.ts'
import { useSetting } from './useSetting.ts'

/** Its palettes are nearest to the standard green of tokens.css. */
const STANDARD = '#28634f'

/** Null is the standard green. */
const suggestions = [
  { colour: null, name: 'green' },
  { colour: '#35577a', name: 'indigo' },
  { colour: '#2d6272', name: 'slate' },
  { colour: '#69578a', name: 'wisteria' },
  { colour: '#963f43', name: 'madder' },
  { colour: '#7a5136', name: 'chestnut' },
  { colour: '#566528', name: 'moss' },
] as const

/** A suggested colour is saved at once, another one with a button. */
export function AccentSetting({ saved }: { saved: string | null }) {
  const t = useText(lookText)
  const id = useId()
  const [chosen, choose, dialog] = useSetting('accent_colour', saved)
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

/** Null is the standard green. */
function toSwatchStyle(colour: string | null): CSSProperties {
  const { light, dark } = accentPalettes(colour ?? STANDARD)
  return { background: `light-dark(${light.accent}, ${dark.accent})` }
}

/** In both themes, with the lowest contrast of each. */
function AccentPreviews({ colour }: { colour: string | null }) {
  const t = useText(lookText)
  const lang = useLang()
  const palettes = accentPalettes(colour ?? STANDARD)
  return (
    <div className="accent-previews" role="status">
      {(['light', 'dark'] as const).map((theme) => (
        <div key={theme} style={toPreviewStyle(palettes, theme)}>
          <span className="text-meta">{t[theme]}</span>
          <span className="preview-fill">{t.sampleButton}</span>
          <span className="preview-text">{t.sampleText}</span>
          <span className="text-meta">
            {t.contrast(
              lowestContrast(palettes[theme], theme).toLocaleString(lang, {
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

function toPreviewStyle(palettes: Palettes, theme: 'light' | 'dark') {
  const { accent, 'on-accent': onAccent } = palettes[theme]
  return { colorScheme: theme, '--accent': accent, '--on-accent': onAccent } as CSSProperties
}
