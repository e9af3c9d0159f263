import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiError } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import type { Album } from '../contract.ts'
import { albumsText } from './text.ts'

export interface Words {
  title: string
  text: string
}

interface Props {
  heading: string
  first: Words
  submitLabel: string
  onSave: (words: Words) => Promise<Album>
  onSaved: (album: Album) => void
  onClose: () => void
  children?: ReactNode
}

/** The dialog with the words of an album. If saving fails, they stay. */
export function AlbumForm({ heading, first, submitLabel, onSave, onSaved, onClose, children }: Props) {
  const t = useText(albumsText)
  const explain = useErrorText()
  const [words, setWords] = useState(first)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => onSave(words),
    onSuccess: onSaved,
    onError: (error) => hasStatus(error, 401) && showLogInToast(),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isPending) mutate()
  }
  const fields = error instanceof ApiError ? error.errors : {}
  const isNamed = Boolean(fields.title ?? fields.text)
  return (
    <Dialog open title={heading} onClose={onClose}>
      <form noValidate onSubmit={submit} className="album-form">
        <Field
          label={t.name}
          error={fields.title?.[0]}
          name="title"
          dir="auto"
          autoComplete="off"
          value={words.title}
          onChange={(event) => setWords({ ...words, title: event.target.value })}
        />
        <TextAreaField
          label={t.text}
          error={fields.text?.[0]}
          name="text"
          dir="auto"
          rows={3}
          value={words.text}
          onChange={(event) => setWords({ ...words, text: event.target.value })}
        />
        {children}
        {error && !isNamed && !(error instanceof CancelledError) && (
          <Notice kind="error">{explain(error)}</Notice>
        )}
        <div className="dialog-actions">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button kind="primary" type="submit" pending={isPending}>
            {submitLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
