export const texts: { small: string; large: string };
