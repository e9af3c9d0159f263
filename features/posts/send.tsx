import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { posts } from '#features/posts/contract.ts'
import { forgetDraft, type Picked } from '#features/posts/draft.tsx'
import { startAnew } from '#features/posts/lists.tsx'
import { postsText } from '#features/posts/text.ts'
import { api } from '#web/api.ts'
import { isRefusal, pleaseLogIn } from '#web/failure.ts'
import { newId } from '#web/id.ts'
import { useText } from '#web/text.ts'
import { Fixed } from '#web/ui/Fixed.tsx'
import { toast } from '#web/ui/Toasts.tsx'

/** Sends a post and leaves for the list; a failure leaves everything as it was. */
export function useSending(account: number) {
  const client = useQueryClient()
  const t = useText(postsText)
  const [, navigate] = useLocation()
  const [sent, setSent] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const here = useRef(false)
  const attempt = useRef({ content: '', id: '' })
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const send = async (text: string, pictures: Picked[]) => {
    setError(null)
    setSent(0)
    // The same post keeps its id however often it is sent: an answer may have been lost, and the post stored.
    const content = JSON.stringify([text, pictures.map(({ key, alt }) => [key, alt])])
    if (attempt.current.content !== content) attempt.current = { content, id: newId() }
    try {
      await api(posts.create, {}, { form: formOf(text, pictures, attempt.current.id), onProgress: setSent })
    } catch (failure) {
      setSent(null)
      return isRefusal(failure, 401) ? pleaseLogIn() : setError(failure)
    }
    await Promise.all([forgetDraft(account), startAnew(client)])
    toast(<Fixed also={t.postedAlso}>{t.posted}</Fixed>, { alert: true })
    if (here.current) navigate('/')
  }
  return { send, sent, error }
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
