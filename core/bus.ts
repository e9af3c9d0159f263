/** How the processes of one community hear each other. What is published reaches all of them, the publisher too, in its order. */
export interface Bus<News> {
  publish(news: News): void
}

/** One process has only itself to tell. */
export const openBus = <News>(hear: (news: News) => void): Bus<News> => ({ publish: hear })
