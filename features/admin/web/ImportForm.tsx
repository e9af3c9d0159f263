import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useId, useState } from 'react'
import {
  DEFAULT_CARD_DAYS,
  type ListPreview,
  MAX_LIST_ROWS,
  memberListEndpoints,
} from '#features/cards/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { focusFirst } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { importText } from './member-list-text.ts'
import { decodeFile, parseList } from './read-member-list.ts'

const dayChoices = [1, 7, DEFAULT_CARD_DAYS, 90]
/** In bytes. A list of 300 people has some 20 kB. */
const MAX_FILE_SIZE = 500_000

/** The page keeps it, so that the admin can correct a list with errors. `days`: validity of the cards. */
export interface ImportDraft {
  text: string
  title: string
  days: number
}

export const emptyDraft: ImportDraft = {
  text: '',
  title: '',
  days: DEFAULT_CARD_DAYS,
}

interface Props {
  draft: ImportDraft
  onDraft: (draft: ImportDraft) => void
  onChecked: (preview: ListPreview) => void
}

export function ImportForm({ draft, onDraft, onChecked }: Props) {
  const t = useText(importText)
  const formatError = useErrorText()
  const [fault, setFault] = useState<string | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (rows: ReturnType<typeof parseList>) => callEndpoint(memberListEndpoints.preview, { rows }),
    onSuccess: onChecked,
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const rows = parseList(draft.text)
    const problem = !rows.length ? t.empty : rows.length > MAX_LIST_ROWS ? t.tooMany(MAX_LIST_ROWS) : null
    setFault(problem)
    if (problem) focusFirst('.member-list-form [aria-invalid="true"]')
    else if (!isPending) mutate(rows)
  }
  const readFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    if (!file) return
    if (file.size > MAX_FILE_SIZE) return setFault(t.fileTooLarge)
    setFault(null)
    const text = decodeFile(new Uint8Array(await file.arrayBuffer()))
    onDraft({ ...draft, text, title: draft.title || file.name.replace(/\.\w+$/, '') })
  }
  return (
    <form className="card member-list-form" noValidate onSubmit={submit}>
      <h2>{t.form}</h2>
      <p className="text-soft">{t.formHelp}</p>
      <Field
        label={t.file}
        hint={t.fileHint}
        type="file"
        accept=".csv,.tsv,.txt,text/*"
        onChange={readFile}
      />
      <TextAreaField
        label={t.list}
        hint={t.listHint}
        error={fault}
        name="list"
        rows={6}
        dir="auto"
        spellCheck={false}
        value={draft.text}
        onChange={(event) => onDraft({ ...draft, text: event.target.value })}
      />
      <ListOptions draft={draft} onDraft={onDraft} />
      {error && <Notice kind="error">{formatError(error)}</Notice>}
      <div className="form-actions">
        <Button kind="primary" type="submit" pending={isPending}>
          {t.check}
        </Button>
      </div>
    </form>
  )
}

function ListOptions({ draft, onDraft }: Omit<Props, 'onChecked'>) {
  const t = useText(importText)
  const days = useId()
  return (
    <div className="invitation-numbers">
      <Field
        label={t.listTitle}
        hint={t.listTitleHint}
        name="title"
        dir="auto"
        autoComplete="off"
        maxLength={200}
        value={draft.title}
        onChange={(event) => onDraft({ ...draft, title: event.target.value })}
      />
      <div className="field">
        <label htmlFor={days}>{t.validFor}</label>
        <select
          className="input"
          id={days}
          value={draft.days}
          onChange={(event) => onDraft({ ...draft, days: Number(event.target.value) })}
        >
          {dayChoices.map((n) => (
            <option key={n} value={n}>
              {t.days(n)}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
