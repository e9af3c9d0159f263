import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import {
  type CheckedMemberListRow,
  type CreatedLogInCardsAndExpiry,
  type MemberListImportPreviewResponse,
  memberListImportEndpoints,
} from '#features/cards/list-contract.ts'
import { callEndpoint } from '#web/api.ts'
import { isErrorWithStatus, showLogInPromptToast, useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { createRandomId } from '#web/id.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import type { MemberListImportDraft } from './MemberListImportForm.tsx'
import { memberListImportText } from './member-list-text.ts'

interface PreviewProps {
  draft: MemberListImportDraft
  preview: MemberListImportPreviewResponse
  onChange: () => void
  onCreated: (created: CreatedLogInCardsAndExpiry) => void
}

const hasError = ({ notes }: CheckedMemberListRow) => notes.some(({ kind }) => kind === 'error')

/**
 * Shows what will happen with each row of the list of new members, and has the button that creates the
 * members.
 */
export function MemberListImportPreview({ draft, preview, onChange, onCreated }: PreviewProps) {
  const t = useText(memberListImportText)
  const faulty = preview.rows.filter(hasError).length
  const title = useRef<HTMLHeadingElement>(null)
  // Moves the focus to the title of the preview, because the form that had the focus is no longer on the
  // page.
  useEffect(() => title.current?.focus(), [])
  return (
    <section className="card member-list-preview">
      <h2 ref={title} tabIndex={-1}>
        {t.preview}
      </h2>
      <p className="text-soft">
        {t.people(preview.rows.length)} · {t.previewHelp}
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

function PreviewRows({ rows }: { rows: readonly CheckedMemberListRow[] }) {
  const t = useText(memberListImportText)
  return (
    <ol className="invitation-list">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place only.
        <li key={index} data-state={hasError(row) ? 'error' : undefined}>
          <span className="text">
            <b>
              {index + 1}. <UserText>{row.name}</UserText>
            </b>
            <span className="text-meta">
              {row.group !== null && (
                <>
                  <UserText>{row.group}</UserText> ·{' '}
                </>
              )}
              {row.handle !== null && <span translate="no">@{row.handle}</span>}
              {row.is_handle_made && ` (${t.made})`}
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
  rows: readonly CheckedMemberListRow[]
  isFaulty: boolean
}

function PreviewActions({ draft, rows, isFaulty, onChange, onCreated }: ActionProps) {
  const t = useText(memberListImportText)
  const formatError = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  // Sends the same key with each attempt to create the members. If the response to an attempt is lost, the
  // server recognises the key and creates nobody twice.
  const [key] = useState(createRandomId)
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const list = { key, title: draft.title, days: draft.days }
      const given = rows.map(({ name, group, handle }) => ({ name, group, handle }))
      return run(() => callEndpoint(memberListImportEndpoints.create, { ...list, rows: given }))
    },
    onSuccess: (created) => {
      void client.invalidateQueries({ queryKey: [memberListImportEndpoints.list.path] })
      onCreated(created)
    },
    onError: (failure) => {
      if (isErrorWithStatus(failure, 401)) showLogInPromptToast()
    },
  })
  return (
    <>
      {error && !(error instanceof ActionCancelledError) && (
        <Notice kind="error">{formatError(error)}</Notice>
      )}
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
