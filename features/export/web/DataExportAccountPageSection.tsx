import './export.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatBytes } from '#core/format-bytes.ts'
import { AccountPageSectionCard } from '#features/account/web/AccountPageSectionCard.tsx'
import { AccountSectionLoadError } from '#features/account/web/AccountSectionLoadError.tsx'
import { createAccountSectionQueryOptions } from '#features/account/web/section-query.ts'
import { useIdentityConfirmation } from '#features/account/web/useIdentityConfirmation.tsx'
import { useLongDateFormatter } from '#features/account/web/useLongDateFormatter.ts'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { ActionCancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type DataExportStateAndProgress, dataExportEndpoints } from '../contract.ts'
import { dataExportSectionText } from './text.ts'

type Answer = { export: DataExportStateAndProgress | null }
const queryKey = [dataExportEndpoints.state.path]
/** The time in ms between two requests for the progress of the archive. */
const POLL_INTERVAL = 1000

/** Returns the browser's time zone, in which the pages of the archive show times. */
const timeZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

const isBeingMade = (found: DataExportStateAndProgress | null | undefined) =>
  found?.state === 'waiting' || found?.state === 'running'

/**
 * Renders the section of the account page in which the member requests, downloads and deletes an archive of
 * their data.
 */
export default function DataExportAccountPageSection() {
  const t = useText(dataExportSectionText)
  const { data, error, isFetching, refetch } = useQuery({
    ...createAccountSectionQueryOptions(dataExportEndpoints.state),
    refetchInterval: ({ state }) => (isBeingMade(state.data?.export) ? POLL_INTERVAL : false),
  })
  const { request, remove, download, dialog } = useExportActions()
  const found = data?.export
  return (
    <AccountPageSectionCard title={t.title} help={t.help}>
      <StoredBytes />
      {!data && !error && <LoadingText />}
      {!data && error && (
        <AccountSectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
      {found?.state === 'failed' && <Notice kind="error">{t.failed}</Notice>}
      {data && (!found || found.state === 'failed') && (
        <div className="form-actions">
          <Button pending={request.isPending} onClick={() => request.mutate()}>
            {found ? t.again : t.make}
          </Button>
        </div>
      )}
      {found && isBeingMade(found) && (
        <ExportProgress
          found={found}
          isCancelling={remove.isPending}
          onCancel={() => remove.mutate(t.cancelled)}
        />
      )}
      {found?.state === 'ready' && (
        <ReadyExport
          found={found}
          isRemoving={remove.isPending}
          onRemove={() => remove.mutate(t.removed)}
          onDownload={() => download.mutate()}
        />
      )}
      {dialog}
    </AccountPageSectionCard>
  )
}

/** Says how much room the member's pictures and files take; nothing before the server has said it. */
function StoredBytes() {
  const t = useText(dataExportSectionText)
  const lang = useLang()
  const { data } = useQuery(createAccountSectionQueryOptions(dataExportEndpoints.storage))
  if (!data) return null
  const format = (bytes: number) => formatBytes(bytes, lang)
  return <p>{t.room(format(data.bytes), data.max_bytes === null ? null : format(data.max_bytes))}</p>
}

/**
 * Asks the server whether the download of the archive may begin. Throws an ApiError with status 423 if the
 * member has not confirmed their identity lately.
 */
async function checkDownload() {
  const { status, ok } = await fetch(dataExportEndpoints.archive.path, { method: 'HEAD' }).catch(() => {
    throw new ApiError(0, '')
  })
  if (!ok) throw new ApiError(status, '')
}

/**
 * Starts the download of the archive in the browser, which continues an interrupted download by itself. Uses
 * a link with `download`, so that the browser stays on this page even if the server refuses the request.
 */
function startDownload() {
  const link = document.createElement('a')
  link.href = dataExportEndpoints.archive.path
  link.download = ''
  link.click()
}

/**
 * Returns the mutations that request, download and delete the archive, and the dialog in which the member
 * confirms their identity. The argument of `remove` is the text of the toast that is shown afterwards.
 */
function useExportActions() {
  const formatError = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useIdentityConfirmation()
  const onError = (failure: Error) => {
    if (!(failure instanceof ActionCancelledError)) showToast(formatError(failure), { kind: 'error' })
  }
  const request = useMutation({
    mutationFn: () => run(() => callEndpoint(dataExportEndpoints.request, { time_zone: timeZone() })),
    onSuccess: (answer) => client.setQueryData<Answer>(queryKey, answer),
    onError,
  })
  const remove = useMutation({
    mutationFn: (_: string) => callEndpoint(dataExportEndpoints.remove, {}),
    onSuccess: (_, text) => {
      client.setQueryData<Answer>(queryKey, { export: null })
      showToast(text, { key: 'export' })
    },
    onError,
  })
  const download = useMutation({
    mutationFn: () => run(checkDownload),
    onSuccess: startDownload,
    onError,
  })
  return { request, remove, download, dialog }
}

interface ProgressProps {
  found: DataExportStateAndProgress
  isCancelling: boolean
  onCancel: () => void
}

function ExportProgress({ found, isCancelling, onCancel }: ProgressProps) {
  const t = useText(dataExportSectionText)
  return (
    <>
      <p role="status">{found.state === 'waiting' ? t.waiting : t.running}</p>
      <progress className="export-progress" aria-label={t.progress} value={found.progress} />
      <div className="form-actions">
        <Button pending={isCancelling} onClick={onCancel}>
          {t.cancel}
        </Button>
      </div>
    </>
  )
}

interface ReadyProps {
  found: DataExportStateAndProgress
  isRemoving: boolean
  onRemove: () => void
  onDownload: () => void
}

function ReadyExport({ found: { bytes, expires_at }, isRemoving, onRemove, onDownload }: ReadyProps) {
  const t = useText(dataExportSectionText)
  const lang = useLang()
  const formatDay = useLongDateFormatter()
  return (
    <>
      <p role="status">{t.ready}</p>
      <dl className="export-facts">
        <dt>{t.size}</dt>
        <dd>{formatBytes(bytes!, lang)}</dd>
        <dt>{t.deletedOn}</dt>
        <dd>
          <time dateTime={expires_at!}>{formatDay(expires_at!)}</time>
        </dd>
      </dl>
      <div className="form-actions">
        <Button kind="danger" pending={isRemoving} onClick={onRemove}>
          {t.remove}
        </Button>
        <Button kind="primary" onClick={onDownload}>
          {t.download}
        </Button>
      </div>
    </>
  )
}
