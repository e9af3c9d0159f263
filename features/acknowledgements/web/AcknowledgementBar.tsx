import './acknowledgements.css'
import { Check, CheckCheck } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import type { ContentInfo } from '#web/AddedContentParts.tsx'
import { callEndpoint } from '#web/api.ts'
import { contentKey } from '#web/content-loader.ts'
import * as dates from '#web/dates.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useStore } from '#web/store.ts'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type AcknowledgementState, acknowledgementEndpoints } from '../contract.ts'
import { keepState, setState, stateStore } from './acknowledgement-store.ts'
import { acknowledgementText } from './text.ts'

const ReadersDialog = lazyWithRetry(() => import('./ReadersDialog.tsx'))

export default function AcknowledgementBar({ content, me }: { content: ContentInfo; me: number }) {
  const { kind, id, createdAt, channel } = content
  useEffect(() => keepState({ kind, id, createdAt, channel }, me), [kind, id, createdAt, channel, me])
  const state = useStore(stateStore, ({ shown }) => shown.get(contentKey(kind, id)))
  if (!state) return null
  return (
    <div className="acknowledgement">
      {state.counts && <Progress id={id} state={state} counts={state.counts} />}
      {!state.is_own && <Toggle id={id} state={state} readAt={state.read_at} />}
      {state.children.map(({ id: child, name, read_at }) => (
        <Toggle key={child} id={id} state={state} readAt={read_at} child={{ id: child, name }} />
      ))}
      <Ending state={state} />
      {state.is_changed && <ChangedQuestion id={id} />}
    </div>
  )
}

function Ending({ state: { is_open, until } }: { state: AcknowledgementState }) {
  const t = useText(acknowledgementText)
  const lang = useLang()
  if (is_open && until === null) return null
  return <span className="text-meta">{is_open ? t.until(dates.dayAndClock(until!, lang)) : t.ended}</span>
}

/** Stores the answer of a call in the page, and shows its error. */
function useChange(id: number) {
  const t = useText(acknowledgementText)
  const explain = useErrorText()
  const [isPending, setIsPending] = useState(false)
  const run = async (call: () => Promise<AcknowledgementState>) => {
    setIsPending(true)
    try {
      setState(id, await call())
    } catch (error) {
      if (hasStatus(error, 401)) showLogInToast()
      else showToast(t.failed + explain(error), { kind: 'error' })
    }
    setIsPending(false)
  }
  return { run, isPending }
}

interface ToggleProps {
  id: number
  state: AcknowledgementState
  readAt: string | null
  /** For whom the guardian answers. */
  child?: { id: number; name: string }
}

/** It keeps its width, so that nothing moves. */
function Toggle({ id, state: { is_open }, readAt, child }: ToggleProps) {
  const t = useText(acknowledgementText)
  const { run, isPending } = useChange(id)
  const isRead = readAt !== null
  if (!is_open && !isRead) return null
  const change = () =>
    run(() =>
      callEndpoint(acknowledgementEndpoints[isRead ? 'remove' : 'add'], {
        id,
        ...(child && { for: child.id }),
      }),
    )
  return (
    <Button
      className="acknowledge"
      icon={isRead ? CheckCheck : Check}
      aria-pressed={isRead}
      disabled={!is_open}
      pending={isPending}
      onClick={change}
    >
      {child ? t.readFor(child.name) : t.read}
    </Button>
  )
}

interface ProgressProps {
  id: number
  state: AcknowledgementState
  counts: NonNullable<AcknowledgementState['counts']>
}

function Progress({ id, state, counts: { read, asked, later } }: ProgressProps) {
  const t = useText(acknowledgementText)
  const [isListOpen, setIsListOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="acknowledgement-progress"
        aria-haspopup="dialog"
        onClick={() => setIsListOpen(true)}
      >
        <span>
          {t.progress(read, asked)}
          {later > 0 && <span className="text-meta"> {t.later(later)}</span>}
        </span>
        <progress value={read} max={asked || 1} aria-hidden="true" />
      </button>
      {isListOpen && (
        <Suspense>
          <ReadersDialog id={id} state={state} onClose={() => setIsListOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function ChangedQuestion({ id }: { id: number }) {
  const t = useText(acknowledgementText)
  const { run, isPending } = useChange(id)
  const answer = (keep_answers: boolean) => () =>
    run(() => callEndpoint(acknowledgementEndpoints.askAgain, { id, keep_answers }))
  return (
    <div className="acknowledgement-question">
      <span>{t.changed}</span>
      <Button small pending={isPending} onClick={answer(false)}>
        {t.askAgain}
      </Button>
      <Button small kind="ghost" pending={isPending} onClick={answer(true)}>
        {t.keepAnswers}
      </Button>
    </div>
  )
}
