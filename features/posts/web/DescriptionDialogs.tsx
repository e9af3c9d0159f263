import './composer.css'
import { type SubmitEvent, useId, useRef, useState } from 'react'
import { countCodePoints } from '#core/contract.ts'
import { useGrowingTextArea } from '#web/field-sizing.ts'
import { useText } from '#web/i18n.ts'
import { isSubmitKey } from '#web/keyboard.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { MAX_ALT_LENGTH } from '../contract.ts'
import { composerText } from './composer-text.ts'
import { PicturePreview } from './PickedPictureTiles.tsx'
import type { PickedPicture } from './prepare-pictures.ts'

export const CharactersLeft = ({ count, id }: { count: number; id?: string }) => {
  const spoken = useText(composerText).charactersLeft(count)
  return (
    <span className="count" id={id} data-over={count < 0 || undefined}>
      <span aria-hidden="true">{count < 0 ? spoken : count}</span>
      <span className="visually-hidden">{spoken}</span>
    </span>
  )
}

interface DescriptionDialogProps {
  picture: PickedPicture
  /** `alt` is the new description; null leaves the old one. `saved` is true if the member pressed Save. */
  onDone: (alt: string | null, saved: boolean) => void
}

/** A dialog for the description of a picture. Closing it keeps the text; only Cancel discards it. */
export function DescriptionDialog({ picture, onDone }: DescriptionDialogProps) {
  const t = useText(composerText)
  const id = useId()
  const [alt, setAlt] = useState(picture.alt)
  const field = useRef<HTMLTextAreaElement>(null)
  useGrowingTextArea(field, alt)
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
            onKeyDown={(event) => isSubmitKey(event) && event.currentTarget.form?.requestSubmit()}
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

type OpenDialog = { kind: 'remind' } | { kind: 'describe'; picture: PickedPicture; describesNext: boolean }

const NEVER_REMIND = 'engawa:post-without-descriptions'

/**
 * Returns the state of the dialogs for picture descriptions. `post` sends the post; it is called when the
 * member chooses to post without descriptions.
 */
export function useDescriptionDialogs(
  pictures: PickedPicture[],
  setPictures: (pictures: PickedPicture[]) => void,
  post: () => void,
) {
  const wasReminded = useRef(false)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const missing = pictures.filter(({ alt }) => !alt)
  const edit = (picture: PickedPicture | undefined, describesNext = false) =>
    setOpenDialog(picture ? { kind: 'describe', picture, describesNext } : null)
  const save = ({ key }: PickedPicture, alt: string | null, describesNext: boolean) => {
    if (alt !== null)
      setPictures(pictures.map((picture) => (picture.key === key ? { ...picture, alt } : picture)))
    edit(describesNext ? missing.find((picture) => picture.key !== key) : undefined, describesNext)
  }
  /** Asks once whether to describe the pictures that have no description. Returns whether it asked. */
  const remind = () => {
    const isDue = missing.length > 0 && !wasReminded.current && readLocalStorage(NEVER_REMIND) === null
    if (isDue) setOpenDialog({ kind: 'remind' })
    return isDue
  }
  const afterReminder = (action: () => void) => () => {
    wasReminded.current = true
    action()
  }
  const dialog =
    openDialog?.kind === 'describe' ? (
      <DescriptionDialog
        key={openDialog.picture.key}
        picture={openDialog.picture}
        onDone={(alt, saved) => save(openDialog.picture, alt, saved && openDialog.describesNext)}
      />
    ) : (
      openDialog && (
        <MissingDescriptionsDialog
          missing={missing.length}
          onClose={() => setOpenDialog(null)}
          onDescribe={afterReminder(() => edit(missing[0], true))}
          onPost={afterReminder(() => {
            setOpenDialog(null)
            post()
          })}
        />
      )
    )
  return { edit: (picture: PickedPicture) => edit(picture), remind, dialog }
}

interface MissingDescriptionsProps {
  missing: number
  onDescribe: () => void
  onPost: () => void
  onClose: () => void
}

/** Asks whether to post pictures without descriptions. */
function MissingDescriptionsDialog({ missing, onDescribe, onPost, onClose }: MissingDescriptionsProps) {
  const t = useText(composerText)
  const [doNotAsk, setDoNotAsk] = useState(false)
  const savingChoice = (action: () => void) => () => {
    if (doNotAsk) writeLocalStorage(NEVER_REMIND, '1')
    action()
  }
  return (
    <Dialog open title={t.missingDescriptions(missing)} onClose={onClose}>
      <p>{t.missingDescriptionsHelp}</p>
      <label className="check">
        <input type="checkbox" checked={doNotAsk} onChange={(event) => setDoNotAsk(event.target.checked)} />
        {t.doNotAsk}
      </label>
      <div className="dialog-actions">
        <Button kind="primary" onClick={savingChoice(onDescribe)}>
          {t.addDescriptions}
        </Button>
        <Button onClick={savingChoice(onPost)}>{t.postAnyway}</Button>
      </div>
    </Dialog>
  )
}
