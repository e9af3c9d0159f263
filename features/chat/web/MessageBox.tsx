import { Check, ImagePlus, SendHorizontal, X } from 'lucide-react'
import { type Ref, useId, useImperativeHandle, useState } from 'react'
import { codePointLength } from '#core/contract.ts'
import { MOST_IMAGES } from '#features/posts/contract.ts'
import type { Picked } from '#features/posts/web/choose-pictures.ts'
import { Describe, LeftCount } from '#features/posts/web/Descriptions.tsx'
import { PictureTiles } from '#features/posts/web/PictureTiles.tsx'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse } from '#web/keyboard.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { MESSAGE_LENGTH } from '../contract.ts'
import type { Message } from './message.ts'
import type { MessageStore } from './message-store.ts'
import { chatText } from './text.ts'
import { useMessageBox } from './useMessageBox.ts'

/** The number of characters that are left is shown from here on. */
const SHOW_LEFT = 100

type MessageBoxState = ReturnType<typeof useMessageBox>
export type MessageBoxHandle = Pick<MessageBoxState, 'addFiles' | 'putBack' | 'focus'> & {
  edit: (message: Message) => void
}

interface MessageBoxProps {
  store: MessageStore
  /** My last message that can be edited. */
  lastOwn: Message | undefined
  ref: Ref<MessageBoxHandle>
}

/** Where a message is written. */
export function MessageBox({ store, lastOwn, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const explain = useExplain()
  const box = useMessageBox(store, lastOwn)
  const { edit, focus, addFiles, putBack, pictures, setPictures, notes } = box
  const [describing, setDescribing] = useState<Picked | null>(null)
  useImperativeHandle(ref, () => ({ edit: edit.begin, addFiles, putBack, focus }))
  useShortcuts(t.keysOfChat, [
    { keys: ['Enter'], does: t.send },
    { keys: ['Shift Enter'], does: t.keyNewLine },
    { keys: ['ArrowUp'], does: t.keyEditLast },
    { keys: ['Escape'], does: t.keyLeaveEdit },
  ])
  const describe = (alt: string | null) => {
    if (alt !== null)
      setPictures(pictures.map((one) => (one.key === describing?.key ? { ...one, alt } : one)))
    setDescribing(null)
  }

  return (
    <>
      <form
        className="message-box"
        onSubmit={(event) => {
          event.preventDefault()
          box.submit()
        }}
      >
        {edit.message && (
          <p className="editing">
            <span>{t.editing}</span>
            <Button kind="bare" small icon={X} onClick={edit.leave}>
              {t.cancel}
            </Button>
          </p>
        )}
        <PictureTiles
          pictures={pictures}
          sent={null}
          onChange={setPictures}
          onDescribe={setDescribing}
          onEmpty={focus}
        />
        {notes.length > 0 && <Notice kind="warn">{notes.join(' ')}</Notice>}
        {edit.error !== null && <Notice kind="bad">{explain(edit.error)}</Notice>}
        <InputRow box={box} />
      </form>
      {describing && <Describe picture={describing} onDone={describe} />}
    </>
  )
}

type BoxProps = { box: MessageBoxState }

/** The picture button, the text field and the send button. */
function InputRow({ box }: BoxProps) {
  const t = useText(chatText)
  const leftId = useId()
  const { edit, text, pictures } = box
  const left = MESSAGE_LENGTH - codePointLength(text.trim())
  const isEmpty = !text.trim() && !pictures.length
  const isEditing = edit.message !== null
  return (
    <div className="write">
      <PictureButton box={box} />
      <textarea
        ref={box.field}
        rows={1}
        dir="auto"
        aria-label={t.enterMessage}
        placeholder={t.enterMessage}
        aria-describedby={left > SHOW_LEFT ? undefined : leftId}
        enterKeyHint={hasMouse() ? 'send' : 'enter'}
        value={text}
        onChange={(event) => box.onText(event.target.value)}
        onKeyDown={box.onKeyDown}
        onBlur={box.onBlur}
      />
      {left <= SHOW_LEFT && <LeftCount left={left} id={leftId} />}
      <Button
        kind="primary"
        type="submit"
        pending={edit.isSaving}
        disabled={isEmpty || left < 0}
        label={isEditing ? t.save : t.send}
      >
        <span className="label">{isEditing ? t.save : t.send}</span>
        <Icon of={isEditing ? Check : SendHorizontal} className="short" />
      </Button>
    </div>
  )
}

function PictureButton({ box: { edit, pictures, addFiles } }: BoxProps) {
  const t = useText(chatText)
  const id = useId()
  const isEditing = edit.message !== null
  return (
    <>
      <input
        id={id}
        className="hide"
        type="file"
        accept="image/*"
        multiple
        aria-label={t.addPicture}
        disabled={isEditing || pictures.length === MOST_IMAGES}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Emptied, so that the same file can be chosen again.
          target.value = ''
          addFiles(files)
        }}
      />
      <label
        className="button bare only"
        htmlFor={id}
        title={t.addPicture}
        aria-disabled={isEditing || undefined}
      >
        <Icon of={ImagePlus} />
      </label>
    </>
  )
}
