import './export.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatBytes } from '#core/text/format-bytes.ts'
import { SectionCard } from '#features/account/web/SectionCard.tsx'
import { SectionError } from '#features/account/web/SectionError.tsx'
import { sectionQuery } from '#features/account/web/section-query.ts'
import { useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { ApiError, callEndpoint } from '#web/api.ts'
import * as dates from '#web/dates.ts'
import { useErrorText } from '#web/errors.ts'
import { useLang, useText } from '#web/i18n.ts'
import { Button } from '#web/ui/Button.tsx'
import { CancelledError } from '#web/ui/ConfirmDialog.tsx'
import { LoadingText } from '#web/ui/LoadingText.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type ExportState, exportEndpoints } from '../contract.ts'
import { exportText } from './text.ts'

type Answer = { export: ExportState | null }
const queryKey = [exportEndpoints.state.path]
/** In ms. */
const POLL_INTERVAL = 1000

const isBeingMade = (found: ExportState | null | undefined) =>
  found?.state === 'waiting' || found?.state === 'running'

export default function ExportPageSection() {
  const t = useText(exportText)
  const { data, error, isFetching, refetch } = useQuery({
    ...sectionQuery(exportEndpoints.state),
    refetchInterval: ({ state }) => (isBeingMade(state.data?.export) ? POLL_INTERVAL : false),
  })
  const { request, remove, download, dialog } = useExportActions()
  const found = data?.export
  return (
    <SectionCard title={t.title} help={t.help}>
      <StoredBytes />
      {!data && !error && <LoadingText />}
      {!data && error && <SectionError error={error} pending={isFetching} onRetry={() => refetch()} />}
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
    </SectionCard>
  )
}

/** Shows nothing before the server has answered. */
function StoredBytes() {
  const t = useText(exportText)
  const lang = useLang()
  const { data } = useQuery(sectionQuery(exportEndpoints.storage))
  if (!data) return null
  const format = (bytes: number) => formatBytes(bytes, lang)
  return <p>{t.room(format(data.bytes), data.max_bytes === null ? null : format(data.max_bytes))}</p>
}

/** 423 if the member has not confirmed their identity lately. */
async function checkDownload() {
  const { status, ok } = await fetch(exportEndpoints.archive.path, { method: 'HEAD' }).catch(() => {
    throw new ApiError(0, '')
  })
  if (!ok) throw new ApiError(status, '')
}

/** The browser goes on by itself after a break, and stays on this page even if the server refuses. */
function startDownload() {
  const link = document.createElement('a')
  link.href = exportEndpoints.archive.path
  link.download = ''
  link.click()
}

/** `remove` takes the text of the toast that is shown afterwards. */
function useExportActions() {
  const formatError = useErrorText()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const onError = (failure: Error) => {
    if (!(failure instanceof CancelledError)) showToast(formatError(failure), { kind: 'error' })
  }
  const request = useMutation({
    mutationFn: () => run(() => callEndpoint(exportEndpoints.request, { time_zone: dates.timeZone() })),
    onSuccess: (answer) => client.setQueryData<Answer>(queryKey, answer),
    onError,
  })
  const remove = useMutation({
    mutationFn: (_: string) => callEndpoint(exportEndpoints.remove, {}),
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
  found: ExportState
  isCancelling: boolean
  onCancel: () => void
}

function ExportProgress({ found, isCancelling, onCancel }: ProgressProps) {
  const t = useText(exportText)
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
  found: ExportState
  isRemoving: boolean
  onRemove: () => void
  onDownload: () => void
}

function ReadyExport({ found: { bytes, expires_at }, isRemoving, onRemove, onDownload }: ReadyProps) {
  const t = useText(exportText)
  const lang = useLang()
  return (
    <>
      <p role="status">{t.ready}</p>
      <dl className="export-facts">
        <dt>{t.size}</dt>
        <dd>{formatBytes(bytes!, lang)}</dd>
        <dt>{t.deletedOn}</dt>
        <dd>
          <time dateTime={expires_at!}>{dates.long(expires_at!, lang)}</time>
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
