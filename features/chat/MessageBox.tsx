import { ImagePlus, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { lengthOf } from '#core/contract.ts'
import { MESSAGE_LENGTH } from '#features/chat/contract.ts'
import { chatText } from '#features/chat/text.ts'
import type { Message, OpenThread } from '#features/chat/thread.tsx'
import { useTellTyping } from '#features/chat/typing.tsx'
import { choose, useIncoming } from '#features/posts/choose.tsx'
import { MOST_IMAGES } from '#features/posts/contract.ts'
import { Describe, LeftCount } from '#features/posts/Descriptions.tsx'
import { type Picked, pick } from '#features/posts/draft.tsx'
import { Tiles } from '#features/posts/Tiles.tsx'
import { postsText } from '#features/posts/text.ts'
import { useExplain } from '#web/failure.ts'
import { hasMouse, isSendMessage } from '#web/keyboard.ts'
import { useText } from '#web/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Said } from '#web/ui/Said.tsx'
import { placeKey } from '#web/unread.ts'

/** What is left at this length is told. */
const NEAR_THE_END = 100
const draftPlace = (thread: OpenThread) => `engawa:talk:${thread.me.id}:${placeKey(thread.place)}`
function keptDraft(thread: OpenThread) {
  try {
    return localStorage.getItem(draftPlace(thread)) ?? ''
  } catch {
    return ''
  }
}
function keepDraft(thread: OpenThread, text: string) {
  try {
    if (text) localStorage.setItem(draftPlace(thread), text)
    else localStorage.removeItem(draftPlace(thread))
  } catch {
    // Forbidden or full: then it lives as long as the page.
  }
}

export interface Box {
  edit(message: Message): void
}

interface MessageBoxProps {
  thread: OpenThread
  /** My last message that can be edited. */
  lastOwn: Message | undefined
  ref: React.Ref<Box>
}

export function MessageBox({ thread, lastOwn, ref }: MessageBoxProps) {
  const t = useText(chatText)
  const posts = useText(postsText)
  const explain = useExplain()
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => keptDraft(thread))
  const [pictures, setPictures] = useState<Picked[]>([])
  const [notes, setNotes] = useState<string[]>([])
  const [describing, setDescribing] = useState<Picked | null>(null)
  const [editing, setEditing] = useState<Message | null>(null)
  const [error, setError] = useState<unknown>(null)
  const tellTyping = useTellTyping(thread.place, thread.me.id)
  const left = MESSAGE_LENGTH - lengthOf(text.trim())
  const isEmpty = !text.trim() && !pictures.length

  useLayoutEffect(() => {
    const end = area.current!.value.length
    area.current!.setSelectionRange(end, end)
    if (hasMouse()) area.current!.focus({ preventScroll: true })
  }, [])
  const leave = useEffectEvent(() => tellTyping(''))
  useEffect(() => () => leave(), [])

  const write = (next: string) => {
    setText(next)
    if (editing) return
    keepDraft(thread, next)
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
    setText(keptDraft(thread))
    area.current?.focus()
  }
  useImperativeHandle(ref, () => ({ edit: begin }))

  const add = (files: readonly File[]) => {
    if (editing) return
    const chosen = choose(files, pictures.length, posts)
    setNotes(chosen.notes)
    setPictures([...pictures, ...chosen.kept.map(pick)])
  }
  const submit = () => {
    // The field itself is asked, since what checks spelling may have changed it without a word.
    const written = area.current!.value.trim()
    if (lengthOf(written) > MESSAGE_LENGTH) return
    if (editing) return written && void save(editing, written)
    if (!written && !pictures.length) return
    thread.send(written, pictures)
    setPictures([])
    setNotes([])
    write('')
    area.current?.focus()
  }
  async function save(message: Message, written: string) {
    try {
      if (written !== message.message) await thread.edit(message, written)
      leaveEditing()
    } catch (failure) {
      setError(failure)
    }
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
        {...useIncoming(add)}
      >
        {editing && (
          <p className="editing">
            <span>{t.editing}</span>
            <Button kind="bare" small icon={X} onClick={leaveEditing}>
              {t.cancel}
            </Button>
          </p>
        )}
        <Tiles pictures={pictures} sent={null} onChange={setPictures} onDescribe={setDescribing} onEmpty={() => area.current?.focus()} />
        {notes.length > 0 && <Said kind="warn">{notes.join(' ')}</Said>}
        {error !== null && <Said kind="bad">{explain(error)}</Said>}
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
          <label className="button bare only" htmlFor={id} title={t.addPicture} aria-disabled={editing !== null || undefined}>
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
          <Button kind="primary" type="submit" disabled={isEmpty || left < 0}>
            {editing ? t.save : t.send}
          </Button>
        </div>
      </form>
      {describing && (
        <Describe
          picture={describing}
          onDone={(alt) => {
            if (alt !== null) setPictures(pictures.map((one) => (one.key === describing.key ? { ...one, alt } : one)))
            setDescribing(null)
          }}
        />
      )}
    </>
  )
}
