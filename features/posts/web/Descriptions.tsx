import './composer.css'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { codePointLength } from '#core/contract.ts'
import { useFieldSizing } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isSend } from '#web/keyboard.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ALT_LENGTH } from '../contract.ts'
import type { Picked } from './choose-pictures.ts'
import { composerText } from './composer-text.ts'
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
  const field = useRef<HTMLTextAreaElement>(null)
  useFieldSizing(field, alt)
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
            ref={field}
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

type Asked = { kind: 'remind' } | { kind: 'describe'; picture: Picked; others: boolean }

const NEVER_REMIND = 'engawa:post-without-descriptions'

/** The dialogs for the descriptions of a post's pictures. `post` sends the post without those that lack. */
export function useDescriptions(
  pictures: Picked[],
  setPictures: (pictures: Picked[]) => void,
  post: () => void,
) {
  const reminded = useRef(false)
  const [asked, setAsked] = useState<Asked | null>(null)
  const missing = pictures.filter(({ alt }) => !alt)
  const edit = (picture: Picked | undefined, others = false) =>
    setAsked(picture ? { kind: 'describe', picture, others } : null)
  const save = ({ key }: Picked, alt: string | null, others: boolean) => {
    if (alt !== null)
      setPictures(pictures.map((picture) => (picture.key === key ? { ...picture, alt } : picture)))
    edit(others ? missing.find((picture) => picture.key !== key) : undefined, others)
  }
  /** Reminds of pictures without a description, once. Returns whether it did. */
  const remind = () => {
    const isDue = missing.length > 0 && !reminded.current && readLocal(NEVER_REMIND) === null
    if (isDue) setAsked({ kind: 'remind' })
    return isDue
  }
  const answered = (then: () => void) => () => {
    reminded.current = true
    then()
  }
  const dialog =
    asked?.kind === 'describe' ? (
      <Describe
        key={asked.picture.key}
        picture={asked.picture}
        onDone={(alt, saved) => save(asked.picture, alt, saved && asked.others)}
      />
    ) : (
      asked && (
        <Remind
          missing={missing.length}
          onClose={() => setAsked(null)}
          onDescribe={answered(() => edit(missing[0], true))}
          onPost={answered(() => {
            setAsked(null)
            post()
          })}
        />
      )
    )
  return { edit: (picture: Picked) => edit(picture), remind, dialog }
}

interface RemindProps {
  missing: number
  onDescribe: () => void
  onPost: () => void
  onClose: () => void
}

/** Asks whether to post pictures without descriptions. */
function Remind({ missing, onDescribe, onPost, onClose }: RemindProps) {
  const t = useText(composerText)
  const [never, setNever] = useState(false)
  const settled = (then: () => void) => () => {
    if (never) writeLocal(NEVER_REMIND, '1')
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
