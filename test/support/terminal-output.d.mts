export declare const colorChange: RegExp;
export declare const erasure: RegExp;
export const modeChange: RegExp;
