import { RotateCw } from 'lucide-react'
import { type SubmitEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { codePointLength } from '#core/contract.ts'
import type { Me } from '#features/people/contract.ts'
import type { ApiError } from '#web/api.ts'
import { isHttpError, useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { hasMouse, isSend } from '#web/keyboard.ts'
import { useShortcuts } from '#web/shortcuts.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { TEXT_LENGTH } from '../contract.ts'
import { ComposerTools } from './ComposerTools.tsx'
import { choose, useIncoming } from './choose-pictures.ts'
import { composerText } from './composer-text.ts'
import { Describe, mayRemind, Remind } from './Descriptions.tsx'
import { DraftLine } from './DraftLine.tsx'
import { loadDraftText, type Picked, pick, saveDraftText, usePictures } from './draft.ts'
import { PictureTiles } from './PictureTiles.tsx'
import { useSending } from './useSending.tsx'

const command = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

type Asked = { kind: 'remind' } | { kind: 'describe'; picture: Picked; others: boolean }

export function Composer({ me }: { me: Me }) {
  const t = useText(composerText)
  useShortcuts(t.newPost, [{ keys: [`${command} Enter`], does: t.post }])
  const leftId = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const reminded = useRef(false)
  const [text, setText] = useState(() => loadDraftText(me.id))
  const [textKept, setTextKept] = useState(true)
  const { pictures, setPictures, kept } = usePictures(me.id)
  const [notes, setNotes] = useState<string[]>([])
  const [asked, setAsked] = useState<Asked | null>(null)
  const { send, clearError, sent, error } = useSending(me.id)

  const left = TEXT_LENGTH - codePointLength(text.trim())
  const isEmpty = !text.trim() && pictures.length === 0
  const sending = sent !== null
  const undescribed = pictures.filter((picture) => !picture.alt)

  useLayoutEffect(() => {
    if (hasMouse()) area.current?.focus()
    area.current?.setSelectionRange(area.current.value.length, area.current.value.length)
  }, [])

  const write = (value: string) => {
    clearError()
    setText(value)
    setTextKept(saveDraftText(me.id, value))
  }
  const change = (next: Picked[]) => {
    clearError()
    setPictures(next)
    setNotes([])
  }
  const add = (files: readonly File[]) => {
    if (sending) return
    const chosen = choose(files, pictures.length, t)
    if (chosen.kept.length) clearError()
    setNotes(chosen.notes)
    setPictures([...pictures, ...chosen.kept.map(pick)])
  }
  const addPicked = (files: readonly File[]) => {
    flushSync(() => add(files))
    // With four pictures the picker, which had the focus, is disabled.
    if (picker.current?.disabled)
      form.current?.querySelectorAll<HTMLElement>('.say')[pictures.length]?.focus()
  }

  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    // Read from the field itself: spelling checkers may change it without an event.
    const written = area.current!.value.trim()
    if (sending || codePointLength(written) > TEXT_LENGTH || !(written || pictures.length)) return
    if (undescribed.length && !reminded.current && mayRemind()) return setAsked({ kind: 'remind' })
    send(written, pictures)
  }
  const describe = (picture: Picked | undefined, others = false) =>
    setAsked(picture ? { kind: 'describe', picture, others } : null)
  const described = ({ key }: Picked, alt: string | null, next: boolean) => {
    if (alt !== null)
      setPictures(pictures.map((picture) => (picture.key === key ? { ...picture, alt } : picture)))
    describe(next ? undescribed.find((picture) => picture.key !== key) : undefined, next)
  }
  const discard = () => {
    area.current!.value = ''
    area.current!.focus()
    write('')
    change([])
  }

  return (
    <>
      <form ref={form} className="composer board alone" onSubmit={submit} {...useIncoming(add)}>
        <div className="top">
          <Avatar person={me} />
          <textarea
            ref={area}
            aria-label={t.textOfPost}
            placeholder={t.prompt}
            dir="auto"
            defaultValue={text}
            readOnly={sending}
            aria-describedby={leftId}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={(event) => isSend(event) && submit()}
          />
        </div>
        <PictureTiles
          pictures={pictures}
          sent={sent}
          onChange={change}
          onDescribe={describe}
          onEmpty={() => picker.current?.focus()}
        />
        {notes.length > 0 && <Notice kind="warn">{notes.map(line)}</Notice>}
        {error !== null && <Failed error={error} />}
        <ComposerTools
          picker={picker}
          count={pictures.length}
          left={left}
          leftId={leftId}
          sending={sending}
          ready={!isEmpty && left >= 0}
          onPick={addPicked}
        />
      </form>
      <DraftLine
        kept={isEmpty ? null : textKept && kept}
        keys={hasMouse() ? t.keys(command) : ''}
        sending={sending}
        onDiscard={discard}
      />
      {asked?.kind === 'describe' && (
        <Describe
          key={asked.picture.key}
          picture={asked.picture}
          onDone={(alt, saved) => described(asked.picture, alt, saved && asked.others)}
        />
      )}
      {asked?.kind === 'remind' && (
        <Remind
          missing={undescribed.length}
          onClose={() => setAsked(null)}
          onDescribe={() => {
            reminded.current = true
            describe(undescribed[0], true)
          }}
          onPost={() => {
            reminded.current = true
            setAsked(null)
            submit()
          }}
        />
      )}
    </>
  )
}

const line = (sentence: string) => <span key={sentence}>{sentence}</span>

/** Shows all messages of the server, since several pictures may be wrong at once. */
function Failed({ error }: { error: unknown }) {
  const t = useText(composerText)
  const explain = useExplain()
  const sentences = isHttpError(error, 422)
    ? [...new Set(Object.values((error as ApiError).errors).flat())]
    : []
  return (
    <div className="not-posted">
      <Notice kind="bad">{(sentences.length ? sentences : [explain(error)]).map(line)}</Notice>
      <Button type="submit" icon={RotateCw}>
        {t.retry}
      </Button>
    </div>
  )
}
