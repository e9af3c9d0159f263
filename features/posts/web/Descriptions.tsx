import './composer.css'
import { type SubmitEvent, useId, useState } from 'react'
import { codePointLength } from '#core/contract.ts'
import { useText } from '#web/i18n.ts'
import { isSend } from '#web/keyboard.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ALT_LENGTH } from '../contract.ts'
import { composerText } from './composer-text.ts'
import type { Picked } from './draft.ts'
import { Preview } from './PictureTiles.tsx'

export const LeftCount = ({ left, id }: { left: number; id?: string }) => {
  const spoken = useText(composerText).left(left)
  return (
    <span className="count" id={id} data-over={left < 0 || undefined}>
      <span aria-hidden="true">{left < 0 ? spoken : left}</span>
      <span className="hide">{spoken}</span>
    </span>
  )
}

interface DescribeProps {
  picture: Picked
  /** `alt` is null to keep the old description; `saved` tells whether Save was pressed. */
  onDone: (alt: string | null, saved: boolean) => void
}

/** A dialog for the description of a picture. Only Cancel discards what was written. */
export function Describe({ picture, onDone }: DescribeProps) {
  const t = useText(composerText)
  const id = useId()
  const [alt, setAlt] = useState(picture.alt)
  const left = ALT_LENGTH - codePointLength(alt.trim())
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
        <Preview file={picture.file} alt="" />
        <div className="field">
          <label htmlFor={id}>{t.description}</label>
          <textarea
            id={id}
            className="input"
            dir="auto"
            autoFocus
            value={alt}
            aria-describedby={`${id}-hint`}
            aria-invalid={left < 0}
            onChange={(event) => setAlt(event.target.value)}
            onKeyDown={(event) => isSend(event) && event.currentTarget.form?.requestSubmit()}
          />
          <span className="about">
            <span className="hint" id={`${id}-hint`}>
              {t.describeHelp}
            </span>
            <LeftCount left={left} />
          </span>
        </div>
        <div className="choose">
          <Button onClick={() => onDone(null, false)}>{t.cancel}</Button>
          <Button kind="primary" type="submit" disabled={left < 0}>
            {t.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const NEVER = 'engawa:post-without-descriptions'
export const mayRemind = () => readLocal(NEVER) === null

interface RemindProps {
  missing: number
  onDescribe: () => void
  onPost: () => void
  onClose: () => void
}

/** Asks whether to post pictures without descriptions. */
export function Remind({ missing, onDescribe, onPost, onClose }: RemindProps) {
  const t = useText(composerText)
  const [never, setNever] = useState(false)
  const settled = (then: () => void) => () => {
    if (never) writeLocal(NEVER, '1')
    then()
  }
  return (
    <Dialog open title={t.withoutAlt(missing)} onClose={onClose}>
      <p>{t.withoutAltHelp}</p>
      <label className="check">
        <input type="checkbox" checked={never} onChange={(event) => setNever(event.target.checked)} />
        {t.doNotAsk}
      </label>
      <div className="choose">
        <Button kind="primary" onClick={settled(onDescribe)}>
          {t.addDescriptions}
        </Button>
        <Button onClick={settled(onPost)}>{t.postAnyway}</Button>
      </div>
    </Dialog>
  )
}
