import { useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { readLocalStorage, writeLocalStorage } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { postComposerText } from './composer-text.ts'
import PictureDescriptionDialog from './PictureDescriptionDialog.tsx'
import type { PickedPictureFileAndDescription } from './prepare-pictures.ts'

type OpenDialog =
  | { kind: 'remind' }
  | { kind: 'describe'; picture: PickedPictureFileAndDescription; describesNext: boolean }

const NEVER_REMIND = 'engawa:post-without-descriptions'

/**
 * Returns the open dialog about picture descriptions as `dialog`, and functions that open such a dialog.
 * `post` sends the post; it is called when the member chooses to post without descriptions.
 */
export function usePictureDescriptionDialogs(
  pictures: PickedPictureFileAndDescription[],
  setPictures: (pictures: PickedPictureFileAndDescription[]) => void,
  post: () => void,
) {
  const wasReminded = useRef(false)
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null)
  const missing = pictures.filter(({ alt }) => !alt)
  const edit = (picture: PickedPictureFileAndDescription | undefined, describesNext = false) =>
    setOpenDialog(picture ? { kind: 'describe', picture, describesNext } : null)
  const save = ({ key }: PickedPictureFileAndDescription, alt: string | null, describesNext: boolean) => {
    if (alt !== null)
      setPictures(pictures.map((picture) => (picture.key === key ? { ...picture, alt } : picture)))
    edit(describesNext ? missing.find((picture) => picture.key !== key) : undefined, describesNext)
  }
  /**
   * Opens the dialog that reminds the member of missing picture descriptions, and returns true. Does nothing
   * and returns false if no description is missing, if the member has answered the dialog before in this
   * form, or if the member has turned it off on this device.
   */
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
      <PictureDescriptionDialog
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
  return { edit: (picture: PickedPictureFileAndDescription) => edit(picture), remind, dialog }
}

interface MissingDescriptionsProps {
  missing: number
  onDescribe: () => void
  onPost: () => void
  onClose: () => void
}

/** Renders the dialog that asks whether to post pictures without descriptions. */
function MissingDescriptionsDialog({ missing, onDescribe, onPost, onClose }: MissingDescriptionsProps) {
  const t = useText(postComposerText)
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
