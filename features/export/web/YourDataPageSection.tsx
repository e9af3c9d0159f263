import './export.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { AccountSection } from '#features/account/web/AccountSection.tsx'
import { SectionLoadError } from '#features/account/web/SectionLoadError.tsx'
import { ConfirmationCancelled, useConfirmation } from '#features/account/web/useConfirmation.tsx'
import { useDayFormatter } from '#features/account/web/useDayFormatter.ts'
import { callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { formatBytes } from '#web/format-bytes.ts'
import { useLang, useText } from '#web/i18n.ts'
import { findInitialAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Loading } from '#web/ui/Loading.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { type DataExport, exportEndpoints } from '../contract.ts'
import { exportText } from './text.ts'

type Answer = { export: DataExport | null }
const queryKey = [exportEndpoints.state.path]
/** Milliseconds between two requests for the progress. */
const POLL_INTERVAL = 1000

const isBeingMade = (found: DataExport | null | undefined) =>
  found?.state === 'waiting' || found?.state === 'running'

/** The section of the account page that makes an archive of the member's data. */
export default function YourDataPageSection() {
  const t = useText(exportText)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: () => callEndpoint(exportEndpoints.state, {}),
    initialData: () => findInitialAnswer(exportEndpoints.state)?.body as Answer | undefined,
    refetchInterval: ({ state }) => (isBeingMade(state.data?.export) ? POLL_INTERVAL : false),
  })
  const { request, remove, dialog } = useExportActions()
  const found = data?.export
  return (
    <AccountSection title={t.title} help={t.help}>
      {!data && !error && <Loading />}
      {!data && error && <SectionLoadError error={error} pending={isFetching} onRetry={() => refetch()} />}
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
        <ReadyExport found={found} isRemoving={remove.isPending} onRemove={() => remove.mutate(t.removed)} />
      )}
      {dialog}
    </AccountSection>
  )
}

/** The calls that make and delete the archive. The argument of `remove` is the text of the toast. */
function useExportActions() {
  const formatError = useErrorFormatter()
  const client = useQueryClient()
  const { run, dialog } = useConfirmation()
  const onError = (failure: Error) => {
    if (!(failure instanceof ConfirmationCancelled)) showToast(formatError(failure), { kind: 'error' })
  }
  const request = useMutation({
    mutationFn: () => run(() => callEndpoint(exportEndpoints.request, {})),
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
  return { request, remove, dialog }
}

interface ProgressProps {
  found: DataExport
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
  found: DataExport
  isRemoving: boolean
  onRemove: () => void
}

function ReadyExport({ found: { bytes, expires_at }, isRemoving, onRemove }: ReadyProps) {
  const t = useText(exportText)
  const lang = useLang()
  const formatDay = useDayFormatter()
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
        {/* Not a link of the router: the browser downloads the file, and can continue an interrupted download. */}
        <a className="button primary" href={exportEndpoints.archive.path} download>
          {t.download}
        </a>
      </div>
    </>
  )
}
