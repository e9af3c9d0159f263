import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useId, useState } from 'react'
import {
  DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
  MAX_MEMBER_LIST_IMPORT_ROWS,
  type MemberListImportPreviewResponse,
  memberListImportEndpoints,
} from '#features/cards/list-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { focusFirstMatchOnceRendered } from '#web/focus.ts'
import { useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field, TextAreaField } from '#web/ui/Field.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { memberListImportText } from './member-list-text.ts'
import { decodeMemberListFile, parseMemberListIntoNamesGroupsAndHandles } from './read-member-list.ts'

const dayChoices = [1, 7, DEFAULT_LOG_IN_CARD_VALIDITY_DAYS, 90]
/**
 * The maximum size in bytes of the spreadsheet file that an admin chooses. A list of 300 people has some 20
 * kB.
 */
const MAX_FILE_SIZE = 500_000

/**
 * The input of the admin in the import form: the list of people as text, its title, and the number of
 * days for which the log-in cards are valid. The page keeps it, so that the admin can correct a list with
 * errors.
 */
export interface MemberListImportDraft {
  text: string
  title: string
  days: number
}

export const emptyMemberListImportDraft: MemberListImportDraft = {
  text: '',
  title: '',
  days: DEFAULT_LOG_IN_CARD_VALIDITY_DAYS,
}

interface FormProps {
  draft: MemberListImportDraft
  onDraft: (draft: MemberListImportDraft) => void
  onChecked: (preview: MemberListImportPreviewResponse) => void
}

/**
 * Renders the form in which an admin gives the list of new members as a file or as text. The server checks
 * the list.
 */
export function MemberListImportForm({ draft, onDraft, onChecked }: FormProps) {
  const t = useText(memberListImportText)
  const formatError = useErrorFormatter()
  const [fault, setFault] = useState<string | null>(null)
  const { mutate, error, isPending } = useMutation({
    mutationFn: (rows: ReturnType<typeof parseMemberListIntoNamesGroupsAndHandles>) =>
      callEndpoint(memberListImportEndpoints.preview, { rows }),
    onSuccess: onChecked,
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const rows = parseMemberListIntoNamesGroupsAndHandles(draft.text)
    const problem = !rows.length
      ? t.empty
      : rows.length > MAX_MEMBER_LIST_IMPORT_ROWS
        ? t.tooMany(MAX_MEMBER_LIST_IMPORT_ROWS)
        : null
    setFault(problem)
    if (problem) focusFirstMatchOnceRendered('.member-list-form [aria-invalid="true"]')
    else if (!isPending) mutate(rows)
  }
  const readFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    if (!file) return
    if (file.size > MAX_FILE_SIZE) return setFault(t.fileTooLarge)
    setFault(null)
    const text = decodeMemberListFile(new Uint8Array(await file.arrayBuffer()))
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

function ListOptions({ draft, onDraft }: Omit<FormProps, 'onChecked'>) {
  const t = useText(memberListImportText)
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
