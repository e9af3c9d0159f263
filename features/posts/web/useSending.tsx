import { useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { api } from '#web/api.ts'
import { isHttpError, pleaseLogIn } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { newId } from '#web/id.ts'
import { forgetInitialAnswers } from '#web/page-data.ts'
import { createStore, useStore } from '#web/store.ts'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { posts } from '../contract.ts'
import { composerText } from './composer-text.ts'
import { forgetDraft, type Picked } from './draft.ts'
import { addOwnPost } from './post-store.ts'

interface Sending {
  /** Share of the post that has been sent, 0 to 1; null when none is being sent. */
  sent: number | null
  error: unknown
}
const idle: Sending = { sent: null, error: null }

// By account, and outside of the page: a member may leave it and come back while a post is being sent.
const sendings = createStore<Readonly<Record<number, Sending>>>({})
const attempts = new Map<number, { content: string; id: string }>()

/** A post keeps its id when it is sent again: the server may have stored it although the answer was lost. */
function idOf(account: number, text: string, pictures: Picked[]) {
  const content = JSON.stringify([text, pictures.map(({ key, alt }) => [key, alt])])
  const before = attempts.get(account)
  if (before?.content === content) return before.id
  const id = newId()
  attempts.set(account, { content, id })
  return id
}

/** Sends a post and goes to the list; after a failure everything stays as it was. */
export function useSending(account: number) {
  const client = useQueryClient()
  const t = useText(composerText)
  const [, navigate] = useLocation()
  const sending = useStore(sendings, (all) => all[account] ?? idle)
  const put = (next: Sending) => sendings.patch({ [account]: next })

  const send = async (text: string, pictures: Picked[]) => {
    put({ sent: 0, error: null })
    const onProgress = (sent: number) => put({ sent, error: null })
    try {
      const form = formOf(text, pictures, idOf(account, text, pictures))
      const { post } = await api(posts.create, {}, { form, onProgress })
      addOwnPost(post)
    } catch (failure) {
      const mustLogIn = isHttpError(failure, 401)
      put({ sent: null, error: mustLogIn ? null : failure })
      return mustLogIn && pleaseLogIn()
    }
    attempts.delete(account)
    await forgetDraft(account)
    forgetInitialAnswers()
    client.removeQueries({ queryKey: [posts.firstSteps.path] })
    toast(<QuotedText also={t.postedAlso}>{t.posted}</QuotedText>, { alert: true })
    if (location.pathname === '/post') navigate('/')
    put(idle)
  }
  /** Hides the error after the member has changed the post. */
  const clearError = () => {
    if (sending.error !== null) put(idle)
  }
  return { send, clearError, ...sending }
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
