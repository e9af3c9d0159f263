import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import {
  type CheckedRow,
  type ListPreview,
  memberListEndpoints,
  type NewCards,
} from '#features/cards/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { hasStatus, showLogInToast, useErrorText } from '#web/errors.ts'
import { Dot, useText } from '#web/i18n.ts'
import { randomId } from '#web/id.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { ImportDraft } from './ImportForm.tsx'
import { importText } from './member-list-text.ts'

interface PreviewProps {
  draft: ImportDraft
  preview: ListPreview
  onChange: () => void
  onCreated: (created: NewCards) => void
}

const hasError = ({ notes }: CheckedRow) => notes.some(({ kind }) => kind === 'error')

export function ImportPreview({ draft, preview, onChange, onCreated }: PreviewProps) {
  const t = useText(importText)
  const faulty = preview.rows.filter(hasError).length
  const title = useRef<HTMLHeadingElement>(null)
  // The form that had the focus is no longer on the page.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card member-list-preview">
      <h2 ref={title} tabIndex={-1}>
        {t.preview}
      </h2>
      <p className="text-soft">
        {t.people(preview.rows.length)}
        <Dot />
        {t.previewHelp}
      </p>
      <ul>
        {preview.groups.map(({ name, is_new, members }) => (
          <li key={name}>
            <UserText>{is_new ? t.newGroup(name, members) : t.knownGroup(name, members)}</UserText>
          </li>
        ))}
      </ul>
      {faulty > 0 && <Notice kind="error">{t.faulty(faulty)}</Notice>}
      <PreviewRows rows={preview.rows} />
      <PreviewActions
        draft={draft}
        rows={preview.rows}
        isFaulty={faulty > 0}
        onChange={onChange}
        onCreated={onCreated}
      />
    </section>
  )
}

function PreviewRows({ rows }: { rows: readonly CheckedRow[] }) {
  const t = useText(importText)
  return (
    <ol className="invitation-list">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place only.
        <li key={index} data-state={hasError(row) ? 'error' : undefined}>
          <span className="text">
            <b>
              {index + 1}. <UserText>{row.name}</UserText>
            </b>
            {row.reading !== null && <UserText className="text-meta">{row.reading}</UserText>}
            <span className="text-meta">
              {row.group !== null && (
                <>
                  <UserText>{row.group}</UserText> ·{' '}
                </>
              )}
              {row.handle !== null && <span translate="no">@{row.handle}</span>}
              {row.is_handle_made && t.made}
            </span>
            {row.notes.map(({ kind, column, message }) => (
              <span className="row-note" key={column + message} data-kind={kind}>
                {kind === 'error' ? t.errorIn(t[column]) : t.warningIn(t[column])} {message}
              </span>
            ))}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface ActionProps extends Omit<PreviewProps, 'preview'> {
  rows: readonly CheckedRow[]
  isFaulty: boolean
}

function PreviewActions({ draft, rows, isFaulty, onChange, onCreated }: ActionProps) {
  const t = useText(importText)
  const formatError = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  // The same key with each attempt: if a response is lost, the server creates nobody twice.
  const [key] = useState(randomId)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const list = { key, title: draft.title, days: draft.days }
      const given = rows.map(({ name, reading, group, handle }) => ({ name, reading, group, handle }))
      return run(() => callEndpoint(memberListEndpoints.create, { ...list, rows: given }))
    },
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: [memberListEndpoints.list.path] })
      onCreated(created)
    },
    onError: (failure) => {
      if (hasStatus(failure, 401)) showLogInToast()
    },
  })
  return (
    <>
      {error && !(error instanceof CancelledError) && <Notice kind="error">{formatError(error)}</Notice>}
      <div className="form-actions">
        <Button onClick={onChange} disabled={isPending}>
          {t.change}
        </Button>
        {!isFaulty && (
          <Button kind="primary" pending={isPending} onClick={() => !isPending && mutate()}>
            {t.create(rows.length)}
          </Button>
        )}
      </div>
      {dialog}
    </>
  )
}
