import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { posts } from '#features/posts/contract.ts'
import { forgetDraft, type Picked } from '#features/posts/draft.tsx'
import { startAnew } from '#features/posts/lists.tsx'
import { postsText } from '#features/posts/text.ts'
import { api } from '#web/api.ts'
import { isRefusal, pleaseLogIn } from '#web/failure.ts'
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
  useEffect(() => {
    here.current = true
    return () => {
      here.current = false
    }
  }, [])

  const send = async (text: string, pictures: Picked[]) => {
    setError(null)
    setSent(0)
    try {
      await api(posts.create, {}, { form: formOf(text, pictures), onProgress: setSent })
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

function formOf(text: string, pictures: Picked[]) {
  const form = new FormData()
  form.set('text', text)
  for (const { file, alt } of pictures) {
    form.append('images[]', file, file.name)
    form.append('alt[]', alt)
  }
  return form
}
