import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { newId } from '#web/id.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { posts } from '../contract.ts'
import { composerText } from './composer-text.ts'
import { forgetDraft, type Picked } from './draft.tsx'
import { startAnew } from './post-lists.tsx'

interface Sending {
  /** Share of the post that has left, 0 to 1; null when none is on its way. */
  sent: number | null
  error: unknown
}
const idle: Sending = { sent: null, error: null }

// By account, and outside of the page: whoever leaves it while a post is on its way, and comes back, finds that post on its way.
const sendings = new Map<number, Sending>()
const attempts = new Map<number, { content: string; id: string }>()
const listeners = new Set<() => void>()

function put(account: number, sending: Sending) {
  sendings.set(account, sending)
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The same post keeps its id however often it is sent: an answer may have been lost, and the post stored. */
function idOf(account: number, text: string, pictures: Picked[]) {
  const content = JSON.stringify([text, pictures.map(({ key, alt }) => [key, alt])])
  const before = attempts.get(account)
  if (before?.content === content) return before.id
  const id = newId()
  attempts.set(account, { content, id })
  return id
}

/** Sends a post and leaves for the list; a failure leaves everything as it was. */
export function useSending(account: number) {
  const client = useQueryClient()
  const t = useText(composerText)
  const [, navigate] = useLocation()
  const sending = useSyncExternalStore(subscribe, () => sendings.get(account) ?? idle)

  const send = async (text: string, pictures: Picked[]) => {
    put(account, { sent: 0, error: null })
    const onProgress = (sent: number) => put(account, { sent, error: null })
    try {
      await api(posts.create, {}, { form: formOf(text, pictures, idOf(account, text, pictures)), onProgress })
    } catch (failure) {
      const mustLogIn = isHttpError(failure, 401)
      put(account, { sent: null, error: mustLogIn ? null : failure })
      return mustLogIn && pleaseLogIn()
    }
    attempts.delete(account)
    await Promise.all([forgetDraft(account), startAnew(client)])
    forgetInitialAnswers()
    client.removeQueries({ queryKey: [posts.firstSteps.path] })
    toast(<QuotedText also={t.postedAlso}>{t.posted}</QuotedText>, { alert: true })
    if (location.pathname === '/post') navigate('/')
    put(account, idle)
  }
  /** What went wrong is of no interest any more once the post was changed. */
  const forgive = () => {
    if (sending.error !== null) put(account, idle)
  }
  return { send, forgive, ...sending }
}

function formOf(text: string, pictures: Picked[], id: string) {
  const form = new FormData()
  form.set('client_id', id)
  form.set('text', text)
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}
