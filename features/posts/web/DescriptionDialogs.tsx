import { useRef, useState } from 'react'
import { useText } from '#web/i18n.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { postComposerText } from './composer-text.ts'
import DescribeDialog from './DescribeDialog.tsx'
import type { PickedPicture } from './prepare-pictures.ts'

type OpenDialog = { kind: 'remind' } | { kind: 'describe'; picture: PickedPicture; describesNext: boolean }

/** On this device: the member wants to be asked before a picture is posted without a description. */
const REMIND = 'engawa:remind-descriptions'

/** `post` is called when the member chooses to post without descriptions. */
export function useDescriptions(
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
  /** Returns false, and opens nothing, if nothing is missing, or the member was asked before in this form. */
  const remind = () => {
    const isDue = missing.length > 0 && !wasReminded.current && readLocal(REMIND) !== null
    if (isDue) setOpenDialog({ kind: 'remind' })
    return isDue
  }
  const afterReminder = (action: () => void) => () => {
    wasReminded.current = true
    action()
  }
  const dialog =
    openDialog?.kind === 'describe' ? (
      <DescribeDialog
        key={openDialog.picture.key}
        picture={openDialog.picture}
        onDone={(alt, saved) => save(openDialog.picture, alt, saved && openDialog.describesNext)}
      />
    ) : (
      openDialog && (
        <MissingDialog
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
  const hint = missing.length > 0 && <MissingHint onDescribe={() => edit(missing[0], true)} />
  return { edit: (picture: PickedPicture) => edit(picture), remind, dialog, hint }
}

function MissingHint({ onDescribe }: { onDescribe: () => void }) {
  const t = useText(postComposerText)
  const [isOn, setOn] = useState(() => readLocal(REMIND) !== null)
  const change = (value: boolean) => {
    setOn(value)
    writeLocal(REMIND, value ? '1' : '')
  }
  return (
    <div className="descriptions-hint">
      <p className="text-meta">{t.missingDescriptionsHelp}</p>
      <Button kind="ghost" small onClick={onDescribe}>
        {t.addDescriptions}
      </Button>
      <label className="check">
        <input type="checkbox" checked={isOn} onChange={(event) => change(event.target.checked)} />
        {t.remindMe}
      </label>
    </div>
  )
}

interface MissingProps {
  missing: number
  onDescribe: () => void
  onPost: () => void
  onClose: () => void
}

function MissingDialog({ missing, onDescribe, onPost, onClose }: MissingProps) {
  const t = useText(postComposerText)
  return (
    <Dialog open title={t.missingDescriptions(missing)} onClose={onClose}>
      <p>{t.missingDescriptionsHelp}</p>
      <div className="dialog-actions">
        <Button kind="primary" onClick={onDescribe}>
          {t.addDescriptions}
        </Button>
        <Button onClick={onPost}>{t.postAnyway}</Button>
      </div>
    </Dialog>
  )
}
