import '#web/styles.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from '#web/App.tsx'
import { ApiError } from '#web/api.ts'
import { onDisconnect, onReconnect } from '#web/connection.ts'
import { pageData } from '#web/page-data.ts'
import { paint } from '#web/settings.ts'
import { fetchAhead, loadPage, pageAt } from '#web/views.tsx'

const IDLE = 2000
const isPassing = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500)
const watchConnection = {
  onSuccess: onReconnect,
  onError: (error: unknown) =>
    error instanceof ApiError && error.status === 0 ? onDisconnect() : onReconnect(),
}
const client = new QueryClient({
  queryCache: new QueryCache(watchConnection),
  mutationCache: new MutationCache(watchConnection),
  defaultOptions: {
    queries: {
      // A call without a network fails and says so, instead of waiting silently.
      networkMode: 'always',
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      retry: (count, error) => count < 2 && isPassing(error),
    },
    mutations: { networkMode: 'always' },
  },
})

async function start() {
  paint(pageData.theme)
  const page = pageData.status < 500 ? pageAt(location.pathname) : undefined
  // The page itself says so when its view could not be loaded.
  if (page) await loadPage(page).catch(() => {})
  const root = createRoot(document.getElementById('app')!)
  // As a transition, React draws in slices and leaves the browser time for other work.
  startTransition(() =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <App />
        </QueryClientProvider>
      </StrictMode>,
    ),
  )
  setTimeout(fetchAhead, IDLE)
}
start()
