import { Check, ImagePlus, SendHorizontal, X } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { codePointLength } from '#core/contract.ts'
import { MOST_IMAGES } from '#features/posts/contract.ts'
import { choose } from '#features/posts/web/choose-pictures.tsx'
import { composerText } from '#features/posts/web/composer-text.ts'
import { Describe, LeftCount } from '#features/posts/web/Descriptions.tsx'
import { type Picked, pick } from '#features/posts/web/draft.tsx'
import { PictureTiles } from '#features/posts/web/PictureTiles.tsx'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSendMessage } from '#web/keyboard.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { MESSAGE_LENGTH } from '../contract.ts'
import { draftKey, loadDraft, saveDraft } from './drafts.tsx'
import type { Message, MessageStore } from './message-store.tsx'
import { chatText } from './text.ts'
import { useTellTyping } from './typing.tsx'

/** What is left at this length is told. */
const NEAR_THE_END = 100
export interface Box {
  edit(message: Message): void
  /** Files that were dropped on the thread. */
  add(files: readonly File[]): void
  /** Puts back what could not be sent. */
  putBack(text: string, pictures: readonly Picked[]): void
  focus(): void
}

/** Chosen pictures stay with their chat while one looks at another. */
const chosenPictures = new Map<string, Picked[]>()

interface MessageBoxProps {
  thread: MessageStore
  /** My last message that can be edited. */
  lastOwn: Message | undefined
  ref: React.Ref<Box>
}

export function MessageBox({ thread, lastOwn, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const posts = useText(composerText)
  useShortcuts(t.keysOfChat, [
    { keys: ['Enter'], does: t.send },
    { keys: ['Shift Enter'], does: t.keyNewLine },
    { keys: ['ArrowUp'], does: t.keyEditLast },
    { keys: ['Escape'], does: t.keyLeaveEdit },
  ])
  const explain = useExplain()
  const id = useId()
  const { me, place } = thread
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => loadDraft(me.id, place))
  const [pictures, setPictures] = useState(() => chosenPictures.get(draftKey(me.id, place)) ?? [])
  const [notes, setNotes] = useState<string[]>([])
  const [describing, setDescribing] = useState<Picked | null>(null)
  const [editing, setEditing] = useState<Message | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [saving, setSaving] = useState(false)
  const tellTyping = useTellTyping(thread.place, thread.me.id)
  const left = MESSAGE_LENGTH - codePointLength(text.trim())
  const isEmpty = !text.trim() && !pictures.length

  useLayoutEffect(() => {
    const end = area.current!.value.length
    area.current!.setSelectionRange(end, end)
    if (hasMouse()) area.current!.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    chosenPictures.set(draftKey(me.id, place), pictures)
  }, [me.id, place, pictures])
  const leave = useEffectEvent(() => tellTyping(''))
  useEffect(() => () => leave(), [])

  const write = (next: string) => {
    setText(next)
    if (editing) return
    saveDraft(me.id, place, next)
    tellTyping(next)
  }
  const begin = (message: Message) => {
    setEditing(message)
    setError(null)
    setText(message.message)
    area.current?.focus()
  }
  const leaveEditing = () => {
    setEditing(null)
    setError(null)
    setText(loadDraft(me.id, place))
    area.current?.focus()
  }

  const add = (files: readonly File[]) => {
    if (editing) return
    const chosen = choose(files, pictures.length, posts)
    setNotes(chosen.notes)
    setPictures([...pictures, ...chosen.kept.map(pick)])
  }
  useImperativeHandle(ref, () => ({
    edit: begin,
    add,
    putBack(given, files) {
      setEditing(null)
      setPictures([...pictures, ...files].slice(0, MOST_IMAGES))
      write([text, given].filter(Boolean).join('\n'))
      area.current?.focus()
    },
    focus: () => area.current?.focus(),
  }))
  const submit = () => {
    // The field itself is asked, since what checks spelling may have changed it without a word.
    const written = area.current!.value.trim()
    if (codePointLength(written) > MESSAGE_LENGTH) return
    if (editing) return written && !saving && void save(editing, written)
    if (!written && !pictures.length) return
    thread.send(written, pictures)
    setPictures([])
    setNotes([])
    write('')
    area.current?.focus()
  }
  async function save(message: Message, written: string) {
    setSaving(true)
    try {
      if (written !== message.message) await thread.edit(message, written)
      leaveEditing()
    } catch (failure) {
      setError(failure)
      // Deleted elsewhere: what was written stays, as a message of its own.
      if (isHttpError(failure, 404)) {
        setError(null)
        setEditing(null)
        toast(t.changed, { kind: 'bad' })
      }
    }
    setSaving(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isSendMessage(event)) {
      event.preventDefault()
      submit()
    } else if (event.key === 'Escape' && editing) {
      event.preventDefault()
      leaveEditing()
    } else if (event.key === 'ArrowUp' && !area.current!.value && lastOwn && !editing) {
      event.preventDefault()
      begin(lastOwn)
    }
  }

  return (
    <>
      <form
        className="message-box"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {editing && (
          <p className="editing">
            <span>{t.editing}</span>
            <Button kind="bare" small icon={X} onClick={leaveEditing}>
              {t.cancel}
            </Button>
          </p>
        )}
        <PictureTiles
          pictures={pictures}
          sent={null}
          onChange={setPictures}
          onDescribe={setDescribing}
          onEmpty={() => area.current?.focus()}
        />
        {notes.length > 0 && <Notice kind="warn">{notes.join(' ')}</Notice>}
        {error !== null && <Notice kind="bad">{explain(error)}</Notice>}
        <div className="write">
          <input
            ref={picker}
            id={id}
            className="hide"
            type="file"
            accept="image/*"
            multiple
            aria-label={t.addPicture}
            disabled={editing !== null || pictures.length === MOST_IMAGES}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])]
              // Emptied, so that the same file may be chosen again.
              target.value = ''
              add(files)
            }}
          />
          <label
            className="button bare only"
            htmlFor={id}
            title={t.addPicture}
            aria-disabled={editing !== null || undefined}
          >
            <Icon of={ImagePlus} />
          </label>
          <textarea
            ref={area}
            rows={1}
            dir="auto"
            aria-label={t.enterMessage}
            placeholder={t.enterMessage}
            aria-describedby={left > NEAR_THE_END ? undefined : `${id}-left`}
            enterKeyHint={hasMouse() ? 'send' : 'enter'}
            value={text}
            onChange={(event) => write(event.target.value)}
            onKeyDown={onKeyDown}
            onBlur={() => tellTyping('')}
          />
          {left <= NEAR_THE_END && <LeftCount left={left} id={`${id}-left`} />}
          <Button
            kind="primary"
            type="submit"
            pending={saving}
            disabled={isEmpty || left < 0}
            label={editing ? t.save : t.send}
          >
            <span className="label">{editing ? t.save : t.send}</span>
            <Icon of={editing ? Check : SendHorizontal} className="short" />
          </Button>
        </div>
      </form>
      {describing && (
        <Describe
          picture={describing}
          onDone={(alt) => {
            if (alt !== null)
              setPictures(pictures.map((one) => (one.key === describing.key ? { ...one, alt } : one)))
            setDescribing(null)
          }}
        />
      )}
    </>
  )
}
