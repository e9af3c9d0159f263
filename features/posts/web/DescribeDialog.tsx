import './composer.css'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { countCodePoints } from '#core/text/unicode.ts'
import { useAutosize } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isCtrlEnter } from '#web/keyboard.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { MAX_ALT_LENGTH } from '../contract.ts'
import { CharactersLeft } from './CharactersLeft.tsx'
import { postComposerText } from './composer-text.ts'
import { PicturePreview } from './PicturePreview.tsx'
import type { PickedPicture } from './prepare-pictures.ts'

interface Props {
  picture: PickedPicture
  /** `alt` is null to keep the old description. `saved` is true if the member pressed Save. */
  onDone: (alt: string | null, saved: boolean) => void
}

/** Closing saves the text too, unless it is too long. Only Cancel discards it. */
export default function DescribeDialog({ picture, onDone }: Props) {
  const t = useText(postComposerText)
  const id = useId()
  const [alt, setAlt] = useState(picture.alt)
  const field = useRef<HTMLTextAreaElement>(null)
  useAutosize(field, alt)
  const left = MAX_ALT_LENGTH - countCodePoints(alt.trim())
  const save = (event: SubmitEvent) => {
    event.preventDefault()
    if (left >= 0) onDone(alt.trim(), true)
  }
  return (
    <Dialog
      open
      title={t.describe}
      onClose={() => onDone(left >= 0 ? alt.trim() : null, false)}
      className="describe"
    >
      <form onSubmit={save}>
        <PicturePreview file={picture.file} alt="" />
        <div className="field">
          <label htmlFor={id}>{t.description}</label>
          <textarea
            ref={field}
            id={id}
            className="input"
            dir="auto"
            autoFocus
            value={alt}
            aria-describedby={`${id}-hint`}
            aria-invalid={left < 0}
            onChange={(event) => setAlt(event.target.value)}
            onKeyDown={(event) => isCtrlEnter(event) && event.currentTarget.form?.requestSubmit()}
          />
          <span className="description-hint">
            <span className="hint" id={`${id}-hint`}>
              {t.describeHelp}
            </span>
            <CharactersLeft count={left} />
          </span>
        </div>
        <div className="dialog-actions">
          <Button onClick={() => onDone(null, false)}>{t.cancel}</Button>
          <Button kind="primary" type="submit" disabled={left < 0}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
